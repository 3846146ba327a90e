# The plain case of a command, without the cost of starting Node: a daemon is there, the answer is printed, done.
# Everything else (no daemon, another build, a terminal, help, anything odd) is left to the Node client, which is
# complete without this file. That is safe for as long as the daemon has not said "accepted" (see client/wire.ts).
# No modules (also not %!, which loads Errno): one costs more than the rest of the work. bin/sonde gives: node, cli.cjs, then the words.
my ($node, $cli) = splice @ARGV, 0, 2;
delete $ENV{PERL_BADLANG} if delete $ENV{SONDE_PERL_BADLANG};

# Node aborts where it cannot open what it needs, and a daemon that is started now would have this limit for good.
sub too_few_files {
  open my $limits, "<", "/proc/self/limits" or return;
  my ($files) = join("", <$limits>) =~ /^Max open files\s+(\d+)/m;
  return if !defined $files || $files >= 96;
  print STDERR "error DAEMON_FAILED: a process of this shell may have only $files files open, and sonde needs at least 96\n",
    "hint: raise the limit first: `ulimit -n 1024`\n";
  exit 1;
}

sub leave_to_node {
  alarm 0; # it would outlive the exec and kill the Node client
  for ("NODE_EXTRA_CA_CERTS", "NODE_OPTIONS") { $ENV{"SONDE_$_"} = delete $ENV{$_} if exists $ENV{$_} }
  too_few_files();
  exec { $node } $node, $cli, @ARGV;
  print STDERR "sonde: cannot run $node: $!\n";
  exit 127;
}

my @own;
for (@ARGV) { last if $_ eq "--"; push @own, $_ }
leave_to_node() if !@own || $own[0] =~ /^(help|completion|daemon|dap|mcp|skills|ui|-V|--version)$/;
leave_to_node() if grep { $_ eq "-h" || $_ eq "--help" } @own;
my @named = @own;
while (@named && $named[0] =~ /^-/) { shift @named if shift(@named) =~ /^(-s|--session)$/ }
if (@named > 1 && $named[0] eq "agent") { # these run in the caller's terminal: cli/words.ts has the list
  leave_to_node() if $named[1] =~ /^(run|attach|fork)$/ || ($named[1] eq "replay" && grep { $_ eq "--serve" } @named);
}
leave_to_node() if @named && $named[0] eq "menu";
leave_to_node() if -t STDOUT || $^O !~ /^(linux|darwin)$/;

# As in client/paths.ts and client/runtime-dir.ts; what those would shorten or refuse, they get.
my $home = defined $ENV{SONDE_HOME} ? $ENV{SONDE_HOME} : "";
my $xdg = defined $ENV{XDG_RUNTIME_DIR} ? $ENV{XDG_RUNTIME_DIR} : "";
my $run = $home ne "" ? "$home/run" : $xdg =~ m{^/} ? "$xdg/sonde" : "/tmp/sonde-$<";
if ($home eq "") { # other folders than the account's own have a daemon of their own
  my ($at, $account) = ($ENV{HOME}, (getpwuid $<)[7]);
  leave_to_node() unless defined $at && defined $account && $at eq $account;
  my %usual = (XDG_CONFIG_HOME => ".config", XDG_STATE_HOME => ".local/state", XDG_DATA_HOME => ".local/share");
  for (keys %usual) { leave_to_node() if defined $ENV{$_} && $ENV{$_} =~ m{^/} && $ENV{$_} ne "$at/$usual{$_}" }
}
leave_to_node() if $run !~ m{^/} || length("$run/daemon.sock") > 100;
# Checked and used as the one folder that is held open: by its name it could be another a moment later. A link has another inode.
opendir my $folder, $run or leave_to_node();
my @dir = stat $folder;
leave_to_node() unless @dir && $dir[4] == $< && !($dir[2] & 077) && join(":", @dir[0, 1]) eq join(":", (lstat $run)[0, 1]);
my $held = $^O eq "linux" ? eval { fileno $folder } : undef;
my $socket = defined $held ? "/proc/self/fd/$held/daemon.sock" : "$run/daemon.sock";

my $cwd = readlink "/proc/self/cwd";
if (!defined $cwd) {
  $cwd = defined $ENV{PWD} ? $ENV{PWD} : "";
  leave_to_node() unless join(":", (stat $cwd)[0, 1]) eq join(":", (stat ".")[0, 1]);
}
leave_to_node() unless $cwd =~ m{^/} && -d $cwd;

sub string { my $text = shift; $text =~ s/([\x00-\x1f"\\\x7f])/sprintf "\\u%04x", ord $1/ge; "\"$text\"" }

sub write_all {
  my ($to, $bytes) = @_;
  for (my $at = 0; $at < length $bytes;) {
    my $wrote = syswrite $to, $bytes, length($bytes) - $at, $at;
    if (defined $wrote) { $at += $wrote }
    elsif ($! == ($^O eq "darwin" ? 35 : 11)) { # EAGAIN
      my $ready = "";
      vec($ready, fileno($to), 1) = 1;
      select undef, $ready, undef, undef;
    }
    elsif ($! != 4) { return 0 } # EINTR
  }
  return 1;
}

my $address = "$socket\0";
$address = $^O eq "darwin" ? pack("C C a*", length($address) + 2, 1, $address) : pack("S a*", 1, $address);
my $daemon;
socket($daemon, 1, 1, 0) && connect($daemon, $address) or leave_to_node();
$SIG{PIPE} = sub { };
my $words = join ",", map { string($_) } @ARGV;
my $env = join ",", map { string($_) . ":" . string($ENV{$_}) } keys %ENV;
my $request = "{\"id\":1,\"build\":\"@@sonde-build\",\"plain\":true,\"argv\":[$words],\"cwd\":" . string($cwd) . ",\"env\":{$env}}\n";
write_all($daemon, $request) or leave_to_node();

my ($buffer, $accepted, $interrupted) = ("", 0, 0);

sub more {
  for (;;) {
    my $got = sysread $daemon, $buffer, 65536, length $buffer;
    return if $got;
    next if !defined $got && $! == 4; # EINTR
    leave_to_node() if !$accepted;
    failed("the daemon ended while `sonde " . join(" ", @ARGV > 2 ? @ARGV[0, 1] : @ARGV) . "` was running; its sessions are gone",
      "the next command starts a new daemon; `sonde daemon logs` may say why it ended");
  }
}

sub line { more() while index($buffer, "\n") < 0; substr $buffer, 0, index($buffer, "\n") + 1, "" }
sub bytes { my $count = shift; more() while length $buffer < $count; substr $buffer, 0, $count, "" }

sub failed {
  my ($message, $hint) = @_;
  if (grep { $_ eq "--json" } @own) {
    write_all(\*STDOUT, "{\"ok\":false,\"error\":{\"code\":\"DAEMON_FAILED\",\"message\":" . string($message) . ",\"hint\":" . string($hint) . "}}\n");
  } else {
    write_all(\*STDERR, "error DAEMON_FAILED: $message\nhint: $hint\n");
  }
  exit 1;
}

sub send_stdin {
  while (sysread STDIN, my $piece, 49152) {
    my $base64 = pack "u", $piece;
    $base64 =~ s/^.//mg;
    $base64 =~ s/\n//g;
    $base64 =~ tr|` -_|AA-Za-z0-9+/|;
    my $pad = (3 - length($piece) % 3) % 3;
    substr($base64, -$pad) = "=" x $pad if $pad;
    write_all($daemon, "{\"id\":1,\"stdin\":\"$base64\",\"more\":true}\n") or return;
  }
  write_all($daemon, "{\"id\":1,\"stdin\":\"\"}\n");
}

# Not sent again: without an answer nobody knows whether it was begun.
$SIG{ALRM} = sub { failed("the daemon is not responding", "it is stopped or stuck; `sonde daemon status` shows more") };
alarm 10;
leave_to_node() unless line() =~ /^\{"hello":\{"product":"sonde"/;
for (;;) {
  my ($kind, @numbers) = split " ", line();
  if ($kind eq "accepted") {
    $accepted = 1;
    alarm 0;
    # Once: what there is by then is still an answer, if it comes soon. The second time ends us.
    $SIG{INT} = sub {
      $SIG{INT} = "DEFAULT";
      $interrupted = 1;
      $SIG{ALRM} = sub { kill "INT", $$ };
      alarm 3;
      write_all($daemon, "{\"id\":1,\"cancel\":true}\n");
    };
  }
  elsif ($kind eq "chunk") { write_all(\*STDOUT, bytes($numbers[0])) or exit 0 }
  elsif ($kind eq "stdin") { send_stdin() }
  elsif ($kind eq "exit") {
    write_all(\*STDOUT, bytes($numbers[1]));
    write_all(\*STDERR, bytes($numbers[2]));
    kill "INT", $$ if $interrupted; # as a shell expects of what was interrupted
    exit $numbers[0];
  }
  elsif ($accepted) { failed("the daemon's answer makes no sense", "sonde daemon logs") }
  else { leave_to_node() } # a refusal, as JSON: another build, which the Node client knows how to deal with
}
