import { afterAll, beforeAll, beforeEach, vi } from 'vitest';

/** What commands print; empty again before each test. */
export function captureTerminal(): { out: string; errors: string } {
  const printed = { out: '', errors: '' };
  beforeAll(() => {
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed.out += String(text);
      return true;
    });
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      printed.errors += String(text);
      return true;
    });
  });
  beforeEach(() => void Object.assign(printed, { out: '', errors: '' }));
  afterAll(() => void vi.restoreAllMocks());
  return printed;
}
