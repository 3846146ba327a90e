# frozen_string_literal: true

# Loaded into every Ruby process of a program that sonde starts (RUBYOPT=-r). It brings up the debug gem, has it call sonde
# instead of waiting to be called, holds the program until its breakpoints are in place, and answers the DAP requests that
# the gem's own server lacks, ignores, or dies of. It was run with gem 1.4.0 on Ruby 3.1, whose inner names it uses.
module SondeRuby
  SOCKET = ENV["SONDE_RUBY_SOCKET"]
  # Where the debug gem is, its compiled part included: a Gemfile need not name it.
  GEM = ENV["SONDE_RUBY_DEBUG"]&.split(File::PATH_SEPARATOR)
  # The same twice, unless a link leads to it.
  FOLDERS = [__dir__, File.dirname(__FILE__)].map { |folder| "#{folder}/" }.freeze

  # In a folder that nobody else can enter: once sonde has left, another user could make one of that name.
  def self.private?
    folder = File.lstat(File.dirname(SOCKET))
    folder.directory? && folder.uid == Process.euid && (folder.mode & 0o077).zero?
  end

  # `bundle exec` replaces itself by the program (BUNDLE_DISABLE_EXEC_LOAD), which is what is to be debugged.
  def self.wanted?
    SOCKET && GEM && File.socket?(SOCKET) && private? && !%w[bundle bundler gem].include?(File.basename($0))
  end
end

if SondeRuby.wanted? && !defined?(::DEBUGGER__)
  begin
    require "socket"
    SondeRuby::LINK = UNIXSocket.new(SondeRuby::SOCKET)
  rescue SystemCallError
    SondeRuby::LINK = nil # sonde has gone; the program runs as it would without it
  end
end

if defined?(SondeRuby::LINK) && SondeRuby::LINK
  ENV["RUBY_DEBUG_LOG_LEVEL"] = "ERROR"
  ENV["RUBY_DEBUG_NO_RC"] = "1"
  $stdout.sync = true
  $LOAD_PATH.unshift(*SondeRuby::GEM)
  require "debug/session"
  require "debug/server"
  require "debug/server_dap"
  SondeRuby::GEM.each { |folder| $LOAD_PATH.delete(folder) }
  %w[breakpoints server values requests stops process].each { |file| require_relative file }

  SondeRuby.start
end
