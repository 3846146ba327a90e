/** Styles are bundled beside the script. */
declare module "*.css";
