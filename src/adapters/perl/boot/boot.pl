# Loaded into every Perl process of a program that sonde starts (PERL5OPT=-d, PERL5DB). The debugger is the half of
# Perl::LanguageServer that runs inside the program: its hook and its line to whoever debugs. Here it is loaded, told to call
# sonde, and given what it lacks. It was run with Perl::LanguageServer 2.5.0 on Perl 5.36.
package SondePerl;

my $flags;

# Neither this code nor the debugger's is to be debugged.
BEGIN { $flags = $^P; $^P = 0 }

use strict;
use warnings;
use Cwd ();
use File::Basename ();

our $I      = 'Perl::LanguageServer::DebuggerInterface';
our $folder = Cwd::getcwd();
our $pid    = $$;
# The program goes on without a debugger: sonde has gone, or this is a copy of the process that it debugs.
our $off = 0;

sub off { return $off ||= $$ != $pid || ($threads::threads && threads->tid) ? 1 : 0 }

# What a request's own sub is called with is its arguments; what it returns is the answer.
sub answers {
    my ($name, $code) = @_;
    no strict 'refs';
    *{"${I}::req_sonde_$name"} = $code;
    return;
}

sub report {
    my ($command, %arguments) = @_;
    local $SIG{PIPE} = 'IGNORE'; # sonde may have gone meanwhile
    $I->_send({ command => $command, arguments => \%arguments });
    return;
}

sub load {
    return 0 unless $ENV{PLSDI_REMOTE};
    local $SIG{INT};
    local $@;
    eval { require Perl::LanguageServer::DebuggerInterface; require PadWalker; 1 } or return 0;
    my $here = File::Basename::dirname(__FILE__);
    require "$here/$_.pl" for qw(stops breakpoints values);
    # Harmless to a program that does not expect it.
    $SIG{URG} = \&DB::catch;
    report('sonde_called', pid => $$, name => $0);
    return 1;
}

if (load()) { $^P = $flags }
else {
    no warnings 'once';
    *DB::DB  = sub { };
    *DB::sub = sub { no strict 'refs'; goto &$DB::sub };
}

1;
