# Runs one command and leaves nothing of it: when the command ends or the engine dies, it ends every
# descendant. It adopts orphans whatever their session or environment (PR_SET_CHILD_SUBREAPER, prctl(2)). Perl
# is always there on Debian and Ubuntu and can call the kernel. It loads no module, not even strict: any
# program can write where Perl looks for them on hosted runners. Arguments: the number of prctl, how to
# contain the command if at all (`closed`, or `open`: with sockets outside), a folder to remove if the engine
# dies, as whom root runs the command (ids of the user and of groups, the first its own), the command.
my ($prctl, $contained, $scratch, $user, @command) = @ARGV;
my ($WNOHANG, $GRACE_S, $LONGEST_S) = (1, 1, 10);
my ($PDEATHSIG, $DUMPABLE, $BOUND, $SUBREAPER, $NO_NEW_PRIVS) = (1, 4, 24, 36, 38);
my ($SETFL, $SETOWN, $NONBLOCK_ASYNC) = (4, 8, 024000);

sub leave {
  system('rm', '-rf', '--', $scratch) if $scratch ne '';
  exit 1;
}
sub control { return syscall($prctl + 0, $_[0], $_[1], 0, 0, 0) }

# sudo closes all but the standard descriptors: a contained command prints everything on standard error.
open(my $channel, $contained ? '>&' : '>&=', $contained ? 1 : 3) or die "no channel: $!\n";
select((select($channel), $| = 1)[0]);
# The engine sends the command's environment and holds this socket for as long as it lives.
my $sent = '';
until ($sent =~ /(?:^|\0)\0\z/) { sysread(STDIN, $sent, 65536, length $sent) or leave() }
%ENV = (
  map({ $_ => $ENV{$_} } grep { /^NODE_CHANNEL_/ } keys %ENV),
  map({ /^([^=]+)=(.*)/s ? ($1 => $2) : () } split /\0/, $sent),
);
# After wait() the pid may be reused, so forget it.
my $main = 0;
my $bury = sub {
  print $channel "empty\n" if !end_all(0);
  leave();
};
my $check = sub { $bury->() if defined(my $length = sysread(STDIN, my $byte, 1)) };
my @signals = qw(TERM INT HUP);
for my $name (@signals) {
  $SIG{$name} = sub { kill $name, $main if $main };
}
$SIG{PIPE} = 'IGNORE';
control($SUBREAPER, 1);
# Nothing of the same user may trace this process.
control($DUMPABLE, 0);
# Set before the command starts, since the engine may die at any instant.
$SIG{IO} = $check;
fcntl(STDIN, $SETOWN, $$ + 0);
fcntl(STDIN, $SETFL, $NONBLOCK_ASYNC);
$check->();

my $supervisor = $$;
pipe(my $failure, my $fails) or die "no pipe: $!\n";
my $started = fork() // die "no process: $!\n";
if ($started == 0) {
  $SIG{$_} = 'DEFAULT' for @signals, 'IO', 'PIPE';
  setpgrp(0, 0);
  become(split ' ', $user) if $user ne '';
  control($PDEATHSIG, 9);
  kill 'KILL', $$ if getppid() != $supervisor;
  open(STDIN, '<', '/dev/null');
  open(STDOUT, '>&', \*STDERR) if $contained;
  print $channel map { "loose $_\n" } contain() if $contained;
  exec { $command[0] } @command or print {$fails} $! + 0;
  close $fails;
  kill 'KILL', $$;
}
$main = $started;
close $fails;
my $reason = <$failure>;
print $channel defined $reason ? "failed $reason\n" : "started $main\n";
$0 = "perf-action: supervises $command[0]";

my $status = 0;
while ((my $dead = wait()) > 0) {
  next if $dead != $main;
  $main = 0;
  $status = $?;
  last;
}
$check->();
if (end_all($GRACE_S)) {
  print STDERR 'perf-action: could not end ', join(', ', map { "$_->{name} ($_->{pid})" } descendants()), "\n";
  exit 70;
}
print $channel "empty\n";
if (my $signal = $status & 127) {
  $SIG{$_} = 'DEFAULT' for @signals;
  kill $signal, $$;
}
exit $status >> 8;

# Sends SIGTERM, and SIGKILL after that many seconds; returns whether something survived.
sub end_all {
  my ($grace) = @_;
  my @left = $grace ? descendants() : ();
  print $channel 'left ', join(' ', map { $_->{name} =~ s/\s/_/gr } @left), "\n" if @left;
  kill 'TERM', map { $_->{pid} } @left;
  for (my $waited = 0; $waited < $grace && have_children(); $waited += 0.02) {
    select(undef, undef, undef, 0.02);
  }
  my $end = time + $LONGEST_S;
  while (have_children() && time <= $end) {
    for my $pid (children()) {
      # The whole group, as one that keeps forking would escape; this process shares its own with others.
      my $group = getpgrp($pid) || -1;
      kill 'KILL', $group > 1 && $group != getpgrp() ? -$group : $pid;
    }
  }
  return have_children();
}

# Exact, where a listing may miss a process that is forking: every orphan becomes a child of this process.
sub have_children {
  my $dead;
  1 while ($dead = waitpid(-1, $WNOHANG)) > 0;
  return $dead == 0;
}

# Their own children follow when they end. One file is read at one instant, a listing is not.
sub children {
  open(my $file, '<', "/proc/$$/task/$$/children") or return map { $_->{pid} } descendants();
  return split ' ', <$file> // '';
}

sub descendants {
  my (%children, @below);
  opendir(my $folder, '/proc') or return ();
  for my $pid (grep { /^\d+$/ } readdir $folder) {
    open(my $file, '<', "/proc/$pid/stat") or next;
    my $stat = do { local $/; <$file> } // next;
    my ($name, $state, $parent, $group) = $stat =~ /^\d+ \((.*)\) (\S) (\d+) (\d+)/s or next;
    my $known = { pid => $pid, name => $name, group => $group };
    push @{ $children{$parent} }, $known if $state !~ /[ZX]/;
  }
  my @parents = ($$);
  while (defined(my $parent = shift @parents)) {
    push @below, @{ $children{$parent} // [] };
    push @parents, map { $_->{pid} } @{ $children{$parent} // [] };
  }
  return @below;
}

# Neither limits (prlimit(2)) nor priorities of a process reach those of root. The saved ids follow with exec.
sub become {
  my ($uid, $group, @groups) = @_;
  $( = $group;
  $) = "$group $group @groups";
  $< = $> = $uid;
  die "cannot run as $user\n" if "$< $>" ne "$uid $uid" || $( + 0 != $group;
}

# Denies rights beyond the user's own (sudo, setuid), and access to processes outside. Returns what this
# machine lacks.
sub contain {
  return 'no_new_privs' if control($NO_NEW_PRIVS, 1) != 0;
  # Root's capabilities over any process and the machine: modules, raw memory, ptrace, admin, perf, bpf.
  control($BOUND, $_) for 16, 17, 19, 21, 38, 39;
  my $version = restrict();
  my @lacks = $version < 2 ? 'landlock' : $version < 6 ? 'signals' : ();
  push @lacks, join(' ', 'sockets', sockets()) if $version < 9 && $contained eq 'closed';
  return @lacks;
}

# Landlock (https://docs.kernel.org/userspace-api/landlock.html) denies tracing, from version 6 on signals and
# abstract sockets, from version 9 on sockets by path, of processes outside. Files stay in reach, but for the
# kernel's own, where a user's programs choose which of them ends when memory does (oom_score_adj) or end a
# group (cgroup.kill). Returns the version in force.
sub restrict {
  my ($CREATE, $RESTRICT, $VERSION) = (444, 446, 1);
  my ($WRITE, $REFER, $RESOLVE_UNIX, $SCOPE_SOCKET, $SCOPE_SIGNAL) = (1 << 1, 1 << 13, 1 << 16, 1, 2);
  my $abi = syscall($CREATE, 0, 0, $VERSION);
  # Version 1 forbids moving a file to another folder.
  return 0 if $abi < 2;
  # Root makes folders in /, for which there would be no rule.
  my $write = $> ? $WRITE : 0;
  my $files = $write | $REFER | ($abi >= 9 && $contained eq 'closed' ? $RESOLVE_UNIX : 0);
  my $attributes = $abi >= 6 ? pack('QQQ', $files, 0, $SCOPE_SOCKET | $SCOPE_SIGNAL) : pack('Q', $files);
  my $rules = syscall($CREATE, $attributes, length $attributes, 0);
  return 0 if $rules < 0 || !allow($rules, $REFER, '/');
  opendir(my $top, '/') or return 0;
  for my $name ($write ? grep { !/^(?:\.\.?|proc|sys)$/ } readdir $top : ()) {
    return 0 if -d "/$name" && !-l "/$name" && !allow($rules, $write, "/$name");
  }
  return syscall($RESTRICT, $rules, 0) == 0 ? $abi : 0;
}

sub allow {
  my ($rules, $what, $folder) = @_;
  my ($ADD, $PATH_BENEATH, $O_PATH) = (445, 1, 010000000);
  sysopen(my $file, $folder, $O_PATH) or return 0;
  return syscall($ADD, $rules, $PATH_BENEATH, pack('Ql', $what, fileno $file), 0) == 0;
}

# The paths of those of other programs that this user may connect to.
sub sockets {
  open(my $file, '<', '/proc/net/unix') or return ();
  my %paths = map { m{ (/.*)} && -S $1 && -w _ ? ($1 => 1) : () } <$file>;
  return sort keys %paths;
}
