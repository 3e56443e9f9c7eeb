import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtProgram } from '#ship/launch/processes.ts';

/** As Node, systemd and docker read a file of settings: the first of three quotes that the value does not have. */
function quoted(value: string): string {
  const quote = ["'", '"', '`'].find((each) => !value.includes(each));
  if (quote === undefined) throw new Error(`A setting has all three kinds of quotes: ${value}`);
  return `${quote}${value}${quote}`;
}

const shell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Writes the settings of a rehearsal, and the `octroi` command with exactly these. */
export function writeCommand(
  folder: string,
  { PATH: _path, NODE_EXTRA_CA_CERTS: trusted = '', ...env }: Record<string, string>,
): void {
  const settingsFile = join(folder, 'octroi.env');
  const lines = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  writeFileSync(settingsFile, `${lines.join('\n')}\n`, { mode: 0o600 });
  const file = join(folder, 'octroi');
  const names = ['PATH', 'HOME', 'TERM', 'SUDO_USER'].map((name) => `${name}="$${name}"`);
  writeFileSync(
    file,
    `#!/bin/sh
# The octroi command on this rehearsal. Settings of the shell have no part in it.
exec env -i ${names.join(' ')} NODE_EXTRA_CA_CERTS=${shell(trusted)} \\
  ${shell(process.execPath)} --env-file=${shell(settingsFile)} ${shell(builtProgram('octroi'))} "$@"
`,
  );
  chmodSync(file, 0o755);
}
