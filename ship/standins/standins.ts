import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type StandinsConfig, refuseProduction } from '#ship/standins/config.ts';
import { startGoogle } from '#ship/standins/google/google.ts';
import { startGstn } from '#ship/standins/gstn/gstn.ts';
import { startMailServer } from '#ship/standins/mail-server/mail-server.ts';
import { startRazorpay } from '#ship/standins/razorpay/razorpay.ts';
import { startS3 } from '#ship/standins/s3/s3.ts';

export type Standins = {
  googleUrl: string;
  razorpayUrl: string;
  /** Null when no port was given. */
  gstnUrl: string | null;
  close(): Promise<void>;
};

/** Starts the stand-ins on loopback; port 0 picks a free one. `now` is epoch milliseconds. */
export async function startStandins(config: StandinsConfig, now: () => number = Date.now): Promise<Standins> {
  refuseProduction();
  const folder = join(config.dataDir, 'standins');
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  const started: { url: string; close: () => Promise<unknown> }[] = [];
  const close = async () => {
    await Promise.all(started.map((standin) => standin.close()));
  };
  const start = async <Standin extends { url: string; close: () => Promise<unknown> }>(standin: Promise<Standin>) => {
    started.push(await standin);
    return (await standin).url;
  };
  try {
    const googleUrl = await start(startGoogle({ ...config.google, folder }, now));
    const razorpay = startRazorpay({ ...config.razorpay, folder }, now);
    const razorpayUrl = await start(razorpay);
    // One clock for both, so that a document is registered on its date even when the clock was moved.
    const movedNow = (await razorpay).now;
    const gstnUrl = config.gstn && (await start(startGstn({ ...config.gstn, folder }, movedNow)));
    if (config.mail) await start(startMailServer({ ...config.mail, folder: join(folder, 'mails') }));
    if (config.s3) await start(startS3({ ...config.s3, folder: join(folder, 'store') }));
    return { googleUrl, razorpayUrl, gstnUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}
