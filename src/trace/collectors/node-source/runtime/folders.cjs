// Which files are recorded: those of the user's folders, and of packages that the plan names.

const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)(?:[\\/]|$)/;

const isBelow = (path, folder) =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/** Without what lies below it in packages of its own. */
function isPackaged(path, packages) {
  const folder = PACKAGE.exec(path)?.[1];
  return packages.some((one) => {
    if (!one.startsWith("/")) return folder?.endsWith(`/node_modules/${one}`) ?? false;
    return isBelow(path, one) && (folder === undefined || !folder.startsWith(`${one}/`));
  });
}

/** @param wide a plan's lines or calls */
function isUnder(path, { under, packages = [] }) {
  if (packages.length > 0 && isPackaged(path, packages)) return true;
  return !/[\\/]node_modules[\\/]/.test(path) && under.some((one) => isBelow(path, one));
}

module.exports = { isPackaged, isUnder };
