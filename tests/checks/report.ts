/** Prints the findings of a check and sets the exit code. */
export function report(title: string, faults: readonly string[]): void {
  console.log(`${title}, ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`);
  for (const fault of new Set(faults)) console.log(`  ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
