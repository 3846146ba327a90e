# frozen_string_literal: true

# Why the program stands, and how it ends.
module SondeRuby
  # The name by which the gem looks for them, too.
  FRAMES = :@__debugger_postmortem_frames

  class << self
    # Stops. The event's body; nil leaves it to the gem, :skip keeps it from the client.
    def stop_for(type, args)
      thread = args.last
      @thrown = nil
      base = { threadId: thread, allThreadsStopped: true }
      case type
      when :suspend_bp then breakpoint_stop(args[1], base)
      when :suspended
        return { reason: "exception", **thrown(@last), **base } if @last
        return { reason: "step", **base } unless @finishing

        @finishing = false
        @ui.push("n") # the gem stops at the end of the method that is left; the caller is where one wants to be
        :skip
      when :suspend_trap then { reason: "pause", **base }
      end
    ensure
      @finishing = false if type == :suspend_bp || type == :suspend_trap
    end

    def leave(error)
      return unless Process.pid == @pid && session.active?

      stop_uncaught(error) if @uncaught
      code = error.nil? ? 0 : error.is_a?(SystemExit) ? error.status : 1
      @ui.send_event("exited", exitCode: code) if @ui.respond_to?(:send_event)
    rescue StandardError
      nil # the connection is gone
    end

    private

    def breakpoint_stop(breakpoint, base)
      case breakpoint
      when Line, Call
        { reason: breakpoint.is_a?(Call) ? "function breakpoint" : "breakpoint", hitBreakpointIds: [breakpoint.sonde_id], **base }
      when Raised then { reason: "exception", **thrown(breakpoint.last_exc), **base }
      else
        entry = @entry
        @entry = nil
        { reason: entry ? "entry" : "breakpoint", **base }
      end
    end

    def thrown(error)
      @thrown = error
      { description: error.class.to_s, text: text_of(error) }
    end

    def details(error, depth)
      inner = error.cause && depth < 5 ? { innerException: [details(error.cause, depth + 1)] } : {}
      { typeName: error.class.to_s, message: text_of(error), stackTrace: (error.backtrace || []).first(50).join("\n"), **inner }
    end

    # What is raised last and rescued by nobody is known only at the end; its frames are kept from when it was raised.
    def catch_uncaught(on)
      @uncaught = on
      @keeper ||= TracePoint.new(:raise) do |tp|
        error = tp.raised_exception
        next if error.is_a?(SystemExit) || error.frozen? || error.instance_variable_defined?(FRAMES)

        error.instance_variable_set(FRAMES, DEBUGGER__.capture_frames(LIB))
      end
      on ? @keeper.enable : @keeper.disable
    end

    def stop_uncaught(error)
      @keeper.disable
      return if error.nil? || error.is_a?(SignalException) || !error.instance_variable_defined?(FRAMES)

      @last = error
      session.enter_postmortem_session(error)
    ensure
      @last = nil
    end
  end
end
