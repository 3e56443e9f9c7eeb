/** npm's own program when npm started us, else the npm on the PATH: the program and its first arguments. */
export function npmCommand(): string[];

/** Where what is installed beside the project stays. */
export function cacheFolder(name: string): string;

/** Runs a program behind one line of progress; its output is shown only when it fails. */
export function run(
  title: string,
  program: string,
  args: readonly string[],
  cwd: string,
  env?: NodeJS.ProcessEnv,
): Promise<string>;
