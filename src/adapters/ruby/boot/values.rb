# frozen_string_literal: true

# Values and frames, as they are shown.
module SondeRuby
  # Values, with the elements of an array among its parts and no more of them than anybody reads.
  module Values
    MANY = 1000
    LONG = 10_000

    def process_dap(args)
      case args[0]
      when :variable then event!(:dap_result, :variable, args[1], variables: sonde_parts(args[1], args[2]), tid: id)
      when :backtrace then event!(:dap_result, :backtrace, args[1], stackFrames: sonde_frames(args[1]), totalFrames: @target_frames.size)
      else super
      end
    end

    private

    def sonde_frames(request)
      first = request.dig("arguments", "startFrame") || 0
      levels = request.dig("arguments", "levels") || 0
      # Ids are handed out by position, so frames before the first are needed as well.
      count = levels.zero? ? @target_frames.size : first + levels
      @target_frames.first(count).map { |frame| SondeRuby.frame(frame) }
    end

    def sonde_parts(request, reference)
      object = @var_map[reference]
      asked = request["arguments"]
      elements = object.is_a?(Array) ? object.size : 0
      return sonde_elements(object, asked["start"] || 0, asked["count"] || elements) if asked["filter"] == "indexed"

      named = sonde_named(object)
      return named if asked["filter"] == "named"

      page = asked["count"] ? named.drop([(asked["start"] || 0) - elements, 0].max) : named
      sonde_elements(object, asked["start"] || 0, asked["count"] || [elements, MANY].min) + page +
        (asked["count"] || elements <= MANY ? [] : [sonde_more(elements - MANY)])
    end

    def sonde_elements(object, start, count)
      return [] unless object.is_a?(Array)

      (object[start, count] || []).each_with_index.map { |one, i| variable((start + i).to_s, one) }
    end

    def sonde_named(object)
      own =
        case object
        when Hash then object.first(MANY).map { |key, value| variable(DEBUGGER__.safe_inspect(key), value) }
        when Struct then object.members.map { |name| variable(name, object[name]) }
        when Range then [variable("begin", object.begin), variable("end", object.end)]
        when Exception then [variable("message", object.message), variable("cause", object.cause)]
        when defined?(::Set) && ::Set then object.first(MANY).each_with_index.map { |one, i| variable(i.to_s, one) }
        else []
        end
      own += (object.instance_variables - [FRAMES]).map { |name| variable(name, object.instance_variable_get(name)) }
      rest = object.is_a?(Hash) ? object.size - MANY : 0
      rest.positive? ? own + [sonde_more(rest)] : own
    end

    def sonde_more(rest)
      { name: "…", value: "#{rest} more", variablesReference: 0, presentationHint: { kind: "virtual" } }
    end

    # Only what has parts can be opened.
    def variable_(name, object, indexedVariables: 0, namedVariables: 0)
      parts = SondeRuby.parts(object)
      id = 0
      @var_map[id = @var_map.size + 1] = object if parts.positive?
      { name: name, value: SondeRuby.show(object), type: object.class.name || object.class.to_s,
        variablesReference: id, indexedVariables: object.is_a?(Array) ? object.size : 0, namedVariables: 0 }
    end

    def variable(name, object) = variable_(name, object)

    def evaluate_result(result)
      value = variable(nil, result)
      { result: value[:value], **value.reject { |key, _| %i[name value].include?(key) } }
    end
  end

  class Failed
    def initialize(error) = @error = error
    def inspect = SondeRuby.brief(@error)
  end

  class << self
    def format(message, here)
      message.gsub(/\{\{|\}\}|\{((?:[^{}]|\{[^{}]*\})*)\}/) do |part|
        next part[0] unless $1

        value = here.eval($1)
        value.is_a?(String) ? value : show(value)
      rescue Exception => e # rubocop:disable Lint/RescueException
        "<#{brief(e)}>"
      end
    end

    def brief(error)
      "#{text_of(error).lines.first&.chomp} (#{error.class})"
    end

    def show(object)
      text = object.is_a?(String) && object.size > Values::LONG ? object[0, Values::LONG].inspect : bounded(object)
      text.size > Values::LONG ? "#{text[0, Values::LONG]}…" : text
    end

    def parts(object)
      case object
      when Array, Hash, Struct then object.size
      when Range, Exception then 2
      when String, Numeric, Symbol, true, false, nil then 0
      else object.instance_variables.size + (defined?(::Set) && object.is_a?(::Set) ? object.size : 0)
      end
    end

    def frame(frame)
      path = frame.realpath || frame.path
      real = path && File.exist?(path)
      reference = frame.file_lines unless real
      own = real && !path.start_with?(RbConfig::CONFIG["rubylibdir"], *Gem.path.map { |one| "#{one}/gems" })
      { name: frame.name.to_s.sub(/\bObject#/, ""), line: frame.location.lineno, column: 1,
        source: { name: File.basename(frame.path), path: path, sourceReference: reference },
        **(own ? {} : { presentationHint: "subtle" }) }
    end

    def evaluate(here, source)
      here.eval(source, "(sonde)")
    rescue Exception => e # rubocop:disable Lint/RescueException
      Failed.new(e)
    end

    private

    def text_of(error)
      error.message.to_s.scrub
    rescue Exception # rubocop:disable Lint/RescueException
      error.class.to_s
    end

    # `inspect` of a large collection takes seconds and megabytes to show a line.
    def bounded(object)
      case object
      when Array then object.size > 200 ? "#{DEBUGGER__.safe_inspect(object.first(200))[0..-2]}, …]" : DEBUGGER__.safe_inspect(object)
      when Hash then object.size > 200 ? "#{DEBUGGER__.safe_inspect(object.first(200).to_h)[0..-2]}, …}" : DEBUGGER__.safe_inspect(object)
      else DEBUGGER__.safe_inspect(object)
      end
    end
  end
end
