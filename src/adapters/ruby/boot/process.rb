# frozen_string_literal: true

# One process of the program: from its call to sonde until it may run.
module SondeRuby
  LIB = File.dirname(DEBUGGER__.method(:open).source_location[0])

  # Closed once the gem's session can be asked for.
  @up = Thread::Queue.new
  @ready = Thread::Queue.new
  @lines = {}
  # Line breakpoints ever made, by place.
  @spare = {}
  @calls = []
  @raised = nil
  @uncaught = false
  @configured = false
  @pid = Process.pid

  class << self
    attr_reader :ui

    def start
      @link = LINK
      DEBUGGER__::CONFIG.set_config(no_color: true)
      DEBUGGER__.singleton_class.prepend Frames
      DEBUGGER__::Session.prepend Forked
      DEBUGGER__::ProcessGroup.prepend Alone
      DEBUGGER__::UI_DAP.prepend Server
      DEBUGGER__::ThreadClient.prepend Values
      @ui = Caller.new
      takes = DEBUGGER__.method(:initialize_session).parameters
      takes.any? { |kind,| kind == :block } ? DEBUGGER__.initialize_session { @ui } : DEBUGGER__.initialize_session(@ui)
      @up.close
      at_exit { leave($!) }
      wait
    end

    def dial
      @up.pop
      link = @link
      @link = nil
      return link if link
      raise Errno::ENOENT, SOCKET unless SondeRuby.private?

      UNIXSocket.new(SOCKET)
    end

    def forked
      @ready = Thread::Queue.new
      @configured = false
      @pid = Process.pid
      drop_all
    end

    def wait = @ready.pop
    def release = @ready << true
    def configured? = @configured
    def session = DEBUGGER__::SESSION

    def say_failed(text) = @ui.send_event("output", category: "important", output: "#{text}\n", about: "failed-condition")

    def say(text) = @ui.send_event("output", category: "console", output: "#{text}\n")
  end
end
