# frozen_string_literal: true

# The requests that sonde answers instead of the gem, and the breakpoints they make.
module SondeRuby
  class << self
    # Requests. What they return is the answer; :pass leaves the request to the gem, another symbol turns it into that one.

    def on_attach(args, _ui)
      @stop_on_entry = args["stopOnEntry"]
      {}
    end

    def on_configurationDone(_args, _ui)
      if @stop_on_entry && !@configured
        @entry = session.add_line_breakpoint($0, 0, oneshot: true, hook_call: false)
      end
      @configured = true
      {}
    end

    def on_setBreakpoints(args, _ui)
      path = args.dig("source", "path")
      real = File.exist?(path) ? File.realpath(path) : path
      drop(@lines.delete(real) || [])
      @lines[real] = args["breakpoints"].map { |spec| add(line(real, spec)) }
      { breakpoints: @lines[real].map { |one| one.sonde_answer(loaded?(real)) } }
    end

    def on_setFunctionBreakpoints(args, _ui)
      drop(@calls)
      @calls = args["breakpoints"].map { |spec| add(Call.new(spec["name"], number, spec)) }
      { breakpoints: @calls.map { |one| one.sonde_answer(true) } }
    end

    def on_setExceptionBreakpoints(args, _ui)
      options = args["filterOptions"] || []
      wanted = args["filters"].map { |id| [id, nil] } + options.map { |one| one.values_at("filterId", "condition") }
      drop([@raised].compact)
      all = wanted.assoc("all")
      @raised = all && add(Raised.new(all[1]))
      catch_uncaught(wanted.any? { |id,| id == "uncaught" })
      { breakpoints: wanted.map { { verified: true } } }
    end

    def on_exceptionInfo(_args, _ui)
      error = @thrown or raise "the program did not stop at an exception"
      { exceptionId: error.class.to_s, description: text_of(error), breakMode: @last ? "unhandled" : "always",
        details: details(error, 0) }
    end

    def on_stepOut(_args, _ui)
      return :continue if @last

      @finishing = true
      :pass
    end

    def on_next(_args, _ui) = @last ? :continue : :pass
    def on_stepIn(_args, _ui) = @last ? :continue : :pass

    def on_disconnect(args, _ui)
      drop_all
      return :pass if args["terminateDebuggee"] || session.in_subsession?

      release
      {}
    end

    def on_terminate(_args, _ui)
      Process.kill(:TERM, Process.pid)
      {}
    end

    def after(name, ui)
      ui.send_event("process", name: $0, systemProcessId: Process.pid, startMethod: "launch") if name == "attach"
      release if name == "configurationDone"
    end

    # A file has been compiled: breakpoints in it are where they will be, or nowhere.
    def loaded(path)
      tell(@lines[path], true) if path && @lines[path]
    end

    private

    def number = @number = (@number || 0) + 1

    def add(breakpoint)
      session.add_bp(breakpoint)
      breakpoint
    end

    def line(path, spec)
      spare = (@spare[[path, spec["line"]]] ||= [])
      free = spare.find(&:sonde_off?)
      return free.sonde_again(number, spec) if free

      Line.new(path, spec["line"], number, spec).tap { |one| spare << one }
    end

    def drop(breakpoints)
      breakpoints.each do |one|
        one.delete
        session.instance_variable_get(:@bps).delete(one.key)
      end
    end

    def drop_all
      drop(@lines.values.flatten + @calls + [@raised].compact)
      @lines = {}
      @calls = []
      @raised = nil
      catch_uncaught(false)
    end

    def loaded?(path)
      return true if @lines[path]&.any?(&:iseq)

      ObjectSpace.each_iseq { |iseq| return true if iseq.absolute_path == path }
      false
    end

    def tell(breakpoints, loaded)
      breakpoints.each do |one|
        answer = one.sonde_answer(loaded)
        next if one.sonde_told == answer

        one.sonde_told = answer
        @ui.send_event("breakpoint", reason: "changed", breakpoint: answer)
      end
    end
  end
end
