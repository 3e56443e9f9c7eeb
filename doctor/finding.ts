import type { Installation } from './installation.ts';

/** `unchecked`: the check could not run, or does not concern this installation. */
type Level = 'ok' | 'warning' | 'fault' | 'unchecked';

/** What a check found. Warnings and faults say what they mean and what to do. */
export interface Finding {
  level: Level;
  found: string;
  means?: string;
  remedy?: string;
}

/** One small examination of an installation. */
export interface Check {
  name: string;
  /** What it looks at; docs/operating/troubleshooting.md lists every check with this text. */
  about: string;
  examine: (installation: Installation) => Promise<Finding[]> | Finding[];
}

export const fine = (found: string): Finding => ({ level: 'ok', found });
export const unchecked = (found: string): Finding => ({ level: 'unchecked', found });
export const warning = (found: string, means: string, remedy: string): Finding => ({
  level: 'warning',
  found,
  means,
  remedy,
});
export const fault = (found: string, means: string, remedy: string): Finding => ({
  level: 'fault',
  found,
  means,
  remedy,
});

/** Files of the operator in a folder that the next release replaces. */
export const inRelease = (setting: string, folder: string): Finding =>
  warning(
    `${setting} is ${folder}, inside this release of Octroi.`,
    'The next release brings a folder of its own, without your files.',
    `Copy the folder to a place of your own, such as /etc/octroi, and set ${setting} to it.`,
  );
