/** A session ends after 30 minutes without a call (product §3.3). */
export const sessionIdleMs = 30 * 60_000;
