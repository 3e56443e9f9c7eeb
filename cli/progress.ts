import { showProgress } from '#ship/launch/progress.mjs';

/** Shows on stderr that work goes on, once it has taken a while. */
export async function withProgress<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  let end: ((wentWell: boolean) => void) | undefined;
  // A log needs less than a terminal.
  const timer = setTimeout(() => (end = showProgress(title)), process.stderr.isTTY ? 500 : 15_000);
  try {
    const result = await work();
    end?.(true);
    return result;
  } catch (error) {
    end?.(false);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
