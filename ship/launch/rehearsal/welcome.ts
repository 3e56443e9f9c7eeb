import { join, relative } from 'node:path';
import { paint, row, say, sayHowToPay } from '#ship/launch/terminal.ts';
import { at, type RehearsalPlace } from './settings.ts';

interface Rehearsed {
  place: RehearsalPlace;
  authorityFile: string;
  database: string;
  tookMs: number;
  /** Settings that the rehearsal can't take. */
  leftOut: readonly string[];
}

function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : `./${near}`;
}

/** The addresses of a rehearsal, what to trust, and how to give commands. */
export function sayRehearsal({ place: { folder, ports }, authorityFile, database, tookMs, leftOut }: Rehearsed): void {
  say();
  say(
    `  ${paint('green', '●')} ${paint('bold', 'A rehearsal of production is running: no money moves')}  ${paint('dim', `${(tookMs / 1000).toFixed(1)} s`)}`,
  );
  say();
  row('Portal', at(ports.portal), 'as customers see it');
  row('Gateway', at(ports.gateway), 'the APIs, for callers');
  row('Google', at(ports.google), 'stand-in: sign in as anyone, no password');
  row('Razorpay', at(ports.razorpay), 'stand-in: no money moves');
  row('GST', at(ports.gstn), 'stand-in: taxpayers');
  row('Backups', at(ports.s3), 'stand-in: an S3-compatible store');
  row('Mails', shown(join(folder, 'data', 'standins', 'mails')), 'every mail as a file; none leaves this machine');
  row('Settings', shown(join(folder, 'octroi.env')), `production’s; ${database}`);
  row('Trust', shown(authorityFile), 'for localhost alone: curl --cacert, or an authority of your browser');
  row('Commands', shown(join(folder, 'octroi')), 'the octroi command on this rehearsal, such as its doctor');
  if (leftOut.length > 0)
    say(
      `\n  A rehearsal has its own accounts, keys and places, so these of your settings have no part in it:\n  ${leftOut.join(', ')}`,
    );
  say();
  sayHowToPay(at(ports.razorpay));
  say(`  ${paint('dim', 'Ctrl-C stops everything.')}`);
  say();
}
