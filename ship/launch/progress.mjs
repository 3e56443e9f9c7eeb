const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Seconds with one decimal: `3.2 s`. */
export function seconds(sinceMs) {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;
}

/**
 * Shows progress: a spinner in a terminal, else a plain line at the beginning and one every 15 seconds.
 * @returns a function to call at the end with the outcome
 */
export function showProgress(title, out = process.stderr) {
  const began = Date.now();
  let ticks = 0;
  if (!out.isTTY) out.write(`  ${title} …\n`);
  const draw = () => out.write(`\r\u001b[2K  ${frames[(ticks += 1) % frames.length]} ${title}  ${seconds(began)}`);
  const timer = setInterval(
    out.isTTY ? draw : () => out.write(`  ${title} … ${seconds(began)}\n`),
    out.isTTY ? 100 : 15_000,
  );
  return (wentWell) => {
    clearInterval(timer);
    out.write(`${out.isTTY ? '\r\u001b[2K' : ''}  ${wentWell ? '✓' : '✗'} ${title}  ${seconds(began)}\n`);
  };
}
