import { findState, type State } from '#domain/states.ts';

/** The PINs that test keys find, with the codes of their States. The real table is never asked for them. */
const samplePins: Readonly<Record<string, readonly string[]>> = {
  '110001': ['07'],
  '400053': ['27'],
  '533464': ['34', '37'],
  '560001': ['29'],
  '600001': ['33'],
};

/** The States of a sample PIN; none for any other. */
export function statesOfSamplePin(pin: string): State[] {
  return (samplePins[pin] ?? []).flatMap((code) => findState(code) ?? []);
}
