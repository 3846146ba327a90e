# frozen_string_literal: true

# Between the gem and the socket, and between the gem and the interpreter.
module SondeRuby
  # The request loop's reader, between the gem and the socket: what it takes for itself the gem never sees.
  module Server
    def recv_request
      while (request = super)
        name = request["command"]
        return request unless SondeRuby.respond_to?("on_#{name}", true)

        passed = answer(request, name)
        return passed if passed
      end
    end

    # The gem would stop the program as soon as somebody connects.
    def pause
      super if SondeRuby.configured?
    end

    def event(type, *args)
      stop = SondeRuby.stop_for(type, args)
      stop ? send_event("stopped", **stop) : super unless stop == :skip
    end

    def push(message) = @q_msg << message

    private

    def answer(request, name)
      result = SondeRuby.send("on_#{name}", request["arguments"] || {}, self)
      return request if result == :pass
      return request.merge("command" => result.to_s) if result.is_a?(Symbol)

      send_response(request, **(result || {}))
      SondeRuby.after(name, self)
      nil
    rescue StandardError => e
      send_response(request, success: false, message: SondeRuby.brief(e))
      nil
    end
  end

  # A forked child calls sonde for itself, so the processes of a family need not take turns.
  module Alone
    def multi_process!; end
    def after_fork(**); end
  end

  module Forked
    def activate(on_fork: false)
      SondeRuby.forked if on_fork
      super
      SondeRuby.wait if on_fork
    end

    def on_load(iseq, src, *rest)
      super.tap { SondeRuby.loaded(iseq.absolute_path || iseq.path) }
    end
  end

  class Caller < DEBUGGER__::UI_ServerBase
    def accept
      socket = SondeRuby.dial
      socket.write("#{{ pid: Process.pid, parent: Process.ppid, name: $0 }.to_json}\n")
      yield socket
    rescue SystemCallError
      SondeRuby.release # nobody there any more: the program goes on alone
    end
  end

  # Our own frames, between the program's and the gem's, are no part of the program.
  module Frames
    def capture_frames(*)
      super.reject { |frame| frame.path.start_with?(*FOLDERS) }
    end
  end
end
