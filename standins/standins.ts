import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type StandinsConfig, refuseProduction } from '#standins/config.ts';
import { startGoogle } from '#standins/google/google.ts';
import { startRazorpay } from '#standins/razorpay/razorpay.ts';

export type Standins = { googleUrl: string; razorpayUrl: string; close(): Promise<void> };

/** Starts both stand-ins on loopback; port 0 takes a free one. `now` is epoch milliseconds. */
export async function startStandins(config: StandinsConfig, now: () => number = Date.now): Promise<Standins> {
  refuseProduction();
  const folder = join(config.dataDir, 'standins');
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  const google = await startGoogle({ ...config.google, folder }, now);
  try {
    const razorpay = await startRazorpay({ ...config.razorpay, folder }, now);
    return {
      googleUrl: google.url,
      razorpayUrl: razorpay.url,
      close: async () => {
        await Promise.all([google.close(), razorpay.close()]);
      },
    };
  } catch (error) {
    await google.close();
    throw error;
  }
}
