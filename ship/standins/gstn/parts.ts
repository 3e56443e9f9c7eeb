import type { Behaviour } from '#ship/standins/gstn/behaviour.ts';
import type { Registry } from '#ship/standins/gstn/registry.ts';
import type { SigningKeys } from '#ship/standins/google/keys.ts';

export interface GstnParts {
  clientId: string;
  clientSecret: string;
  behaviour: { get(): Behaviour; set(behaviour: Behaviour): void };
  registry: Registry;
  keys: SigningKeys;
  /** Epoch milliseconds of the stand-in's clock, which can be moved. */
  now(): number;
  moveClock(byMs: number): void;
  /** Waits, but not longer than the stand-in runs. */
  wait(ms: number): Promise<void>;
}
