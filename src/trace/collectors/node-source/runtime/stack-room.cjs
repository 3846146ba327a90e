// Node was given a larger stack because of us: the program does not see the option, and Nodes that it starts have it as well.

const OPTION = /^--stack-size=/;

function keepStackRoom() {
  const at = process.execArgv.findIndex((one) => OPTION.test(one));
  if (at < 0) return;
  const [option] = process.execArgv.splice(at, 1);
  const { ChildProcess } = require("node:child_process");
  const { spawn } = ChildProcess.prototype;
  ChildProcess.prototype.spawn = function (options) {
    const { file, args } = options ?? {};
    if (file === process.execPath && Array.isArray(args) && !args.some((one) => OPTION.test(one)))
      options.args = [args[0], option, ...args.slice(1)];
    return spawn.call(this, options);
  };
}

module.exports = { keepStackRoom };
