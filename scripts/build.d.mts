export interface BuildOptions {
  outdir?: string;
  version?: string;
  replace?: Record<string, string>;
  generate?: boolean;
  only?: string[];
  docs?: boolean;
}

export interface Built {
  outdir: string;
  version: string;
  build: string;
}

export function build(options?: BuildOptions): Promise<Built>;
export function install(folder: string, options?: BuildOptions): Promise<Built>;
