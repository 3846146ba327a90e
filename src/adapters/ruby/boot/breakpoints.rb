# frozen_string_literal: true

# What a breakpoint does beyond what the gem's do, and by what it is set.
module SondeRuby
  HIT = /\A\s*(==|>=|<=|>|<|%)?\s*(\d+)\s*\z/

  # What a breakpoint does beyond stopping: counts, prints, and says what is wrong with its condition.
  module Rule
    attr_reader :sonde_id
    attr_accessor :sonde_told

    def sonde_off? = @sonde_off

    def sonde_rule(id, spec)
      @sonde_id = id
      @sonde_off = false
      @sonde_told = nil
      @sonde_hits = 0
      @sonde_failed = false
      @sonde_condition = spec["condition"]
      @sonde_hit = HIT.match(spec["hitCondition"]) if spec["hitCondition"]
      @sonde_log = spec["logMessage"]
    end

    def suspend
      return if @sonde_off

      here = @tp.binding
      return unless sonde_holds?(here) && sonde_counted?
      return super unless @sonde_log

      SondeRuby.say(SondeRuby.format(@sonde_log, here))
    end

    private

    def sonde_holds?(here)
      @sonde_condition.nil? || here.eval(@sonde_condition)
    rescue Exception => e # rubocop:disable Lint/RescueException -- whatever the condition raises is its own
      SondeRuby.say_failed("the condition `#{@sonde_condition}` of breakpoint #{sonde_place} failed: #{SondeRuby.brief(e)}") unless @sonde_failed
      @sonde_failed = true
      false
    end

    def sonde_counted?
      @sonde_hits += 1
      return true unless @sonde_hit

      number = @sonde_hit[2].to_i
      case @sonde_hit[1]
      when "%" then number.positive? && (@sonde_hits % number).zero?
      when nil then @sonde_hits == number
      else @sonde_hits.public_send(@sonde_hit[1], number)
      end
    end
  end

  class Line < DEBUGGER__::LineBreakpoint
    prepend Rule

    def initialize(path, line, id, spec)
      sonde_rule(id, spec)
      @asked = line
      super(path, line)
      # Two on one line, or a second that slid to the line of the first, are two to the gem as well.
      @key = [:sonde, id].freeze
    end

    def activate(iseq, event, line)
      super
      @key = [:sonde, @sonde_id].freeze
      DEBUGGER__::SESSION.rehash_bps
    end

    # Kept, but silent: with Ruby 3.1 the interpreter crashed when such a trace was taken away at a stop.
    def delete
      @sonde_off = true
    end

    def sonde_again(id, spec)
      sonde_rule(id, spec)
      @key = [:sonde, id].freeze
      try_activate unless iseq
      self
    end

    def sonde_place = "#{File.basename(path)}:#{@asked}"

    def sonde_answer(loaded)
      return { id: @sonde_id, verified: true, line: line, source: { path: path } } if iseq

      why = loaded ? "there is no code on line #{@asked} or after it" : "#{File.basename(path)} is not loaded yet"
      { id: @sonde_id, verified: false, message: File.exist?(path) ? why : "there is no file #{path}" }
    end
  end

  # By name, wherever a method of that name is defined, now or later: `leaf`, `Shape#area`, `Shape.make`.
  class Call < DEBUGGER__::Breakpoint
    prepend Rule

    def initialize(name, id, spec)
      sonde_rule(id, spec)
      @name = name
      @owner, @kind, @method = /\A(?:(.+?)(#|\.))?([^#.]+)\z/.match(name)&.captures
      @key = [:sonde, id].freeze
      super()
    end

    def setup
      wanted = @method&.to_sym
      @tp = TracePoint.new(:call) { |tp| suspend if tp.method_id == wanted && owned?(tp.self, tp.defined_class) }
    end

    def sonde_place = @name
    def to_s = "Call #{@name}"

    def sonde_answer(_loaded)
      return { id: @sonde_id, verified: true } if known?

      { id: @sonde_id, verified: false, message: "there is no method #{@name} yet" }
    end

    def known?
      return false unless @method
      return owners.any? { |one| defines?(one.singleton_class) } if @kind == "."

      owners.any? { |one| defines?(one) }
    end

    private

    def owned?(receiver, owner)
      case @kind
      when "#" then owner.name == @owner
      when "." then receiver.is_a?(Module) && receiver.name == @owner
      else true
      end
    end

    def owners
      return ObjectSpace.each_object(Module) unless @owner

      [Object.const_get(@owner)]
    rescue NameError
      []
    end

    def defines?(owner)
      owner.method_defined?(@method, false) || owner.private_method_defined?(@method, false)
    end
  end

  # Every exception as it is raised.
  class Raised < DEBUGGER__::CatchBreakpoint
    def initialize(condition)
      super("Exception", cond: condition)
    end

    # Not the interpreter's own: `require` raises LoadErrors that it rescues itself.
    def skip_path?(path)
      super || path.start_with?("<internal:", RbConfig::CONFIG["rubylibdir"])
    end
  end
end
