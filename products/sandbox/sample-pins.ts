import { findState, type State } from '#shared/domain/states.ts';

/** The PINs known to test keys, with the codes of their States. The real table is never used for test keys. */
const samplePins: Readonly<Record<string, readonly string[]>> = {
  '110001': ['07'],
  '400053': ['27'],
  '533464': ['34', '37'],
  '560001': ['29'],
  '600001': ['33'],
};

/** The States of a sample PIN; empty for any other. */
export function statesOfSamplePin(pin: string): State[] {
  return (samplePins[pin] ?? []).flatMap((code) => findState(code) ?? []);
}
