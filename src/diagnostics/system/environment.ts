/** An environment, fit to be shown: the values of names that are known to hold no secret; of all others only the names. */
import { maskSecrets } from "../../util/secrets/mask.ts";
import { cut } from "../../util/text.ts";

/** What decides how programs are found and run, and how a terminal behaves. Nothing that services, shells or projects define. */
const SHOWN = new Set(
  `PATH SHELL TERM TERM_PROGRAM TERM_PROGRAM_VERSION COLORTERM NO_COLOR FORCE_COLOR COLUMNS LINES LANG LANGUAGE TZ TMUX EDITOR VISUAL PAGER
  XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_SESSION_TYPE XDG_CURRENT_DESKTOP DISPLAY WAYLAND_DISPLAY
  TMPDIR CI GITHUB_ACTIONS CONTAINER WSL_DISTRO_NAME
  NODE_ENV NODE_PATH NODE_VERSION NODE_EXTRA_CA_CERTS NVM_DIR VOLTA_HOME
  PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUNBUFFERED VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYENV_VERSION
  GOPATH GOROOT GOFLAGS GOOS GOARCH CGO_ENABLED GOTOOLCHAIN DELVE_EDITOR
  CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN RUST_BACKTRACE CC CXX LD_LIBRARY_PATH DYLD_LIBRARY_PATH
  JAVA_HOME GEM_HOME GEM_PATH RUBYLIB RUBY_VERSION PERL5LIB PERL_LOCAL_LIB_ROOT PHP_INI_SCAN_DIR
  SONDE_HOME SONDE_SESSION SONDE_NODE SONDE_FAST SONDE_AGENT_RUN`.split(/\s+/),
);

export function isShownName(name: string): boolean {
  return SHOWN.has(name) || /^LC_[A-Z]+$/.test(name);
}

export interface ShownEnvironment {
  shown: Record<string, string>;
  /** Names whose values are left out, in order. */
  hidden: string[];
}

const LONGEST_VALUE = 2000;
const LONGEST_NAME = 100;

export function shownEnvironment(env: Readonly<Record<string, string | undefined>>): ShownEnvironment {
  const names = Object.keys(env).sort();
  const shown = names.filter(isShownName);
  return {
    shown: Object.fromEntries(
      shown.map((name) => [name, maskSecrets(cut(env[name] ?? "", LONGEST_VALUE)).text]),
    ),
    // A secret may stand anywhere, also where a name belongs.
    hidden: names
      .filter((name) => !isShownName(name))
      .map((name) => maskSecrets(cut(name, LONGEST_NAME)).text),
  };
}
