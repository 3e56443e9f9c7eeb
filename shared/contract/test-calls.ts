/// <reference types="vite/types/importMeta.d.ts" />
import type { Call } from './call.ts';

type Exports = Readonly<Record<string, unknown>>;

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value;
}

/** Every call that modules export, by the name of its export. */
export function callsOf(modules: Readonly<Record<string, Exports>>): [exported: string, call: Call][] {
  return Object.values(modules).flatMap((exports) =>
    Object.entries(exports).flatMap(([name, value]): [string, Call][] => (isCall(value) ? [[name, value]] : [])),
  );
}

export const contractModules = import.meta.glob<Exports>(['./*.ts', '!./*.test.ts', '!./test-*.ts'], { eager: true });

/**
 * Every call of the contract, so that rules for all calls (route, ownership, guards, documents) are tested for each.
 */
export const calls: readonly Call[] = callsOf(contractModules).map(([, call]) => call);
