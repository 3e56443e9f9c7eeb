import { CircleCheck, Radio } from 'lucide-react';
import { useEffect, useState } from 'react';
import classes from '#web/features/api-keys/first-call.module.css';
import { rotateTexts as texts } from '#web/features/api-keys/texts.ts';
import { useRequests } from '#web/features/request-log/use-requests.ts';

const quietMinutes = 10;
const most = 200;
const tickMs = 5_000;

export interface OldKey {
  id: string;
  /** It was replaced at once. */
  hasStopped: boolean;
}

/** Counts the calls of a replaced key down until it is quiet: then nothing uses it any more. */
export function OldKeyTraffic({ activationId, oldKey }: { activationId: string; oldKey: OldKey }) {
  const keyId = oldKey.id;
  const { requests } = useRequests(activationId, { keyId, limit: most }, true);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const read = requests.data;
  if (read === undefined) return null;
  // By the server's clock, as it was when the list was read.
  const serverNow = Date.parse(read.asOf) + Math.max(0, now - requests.dataUpdatedAt);
  const recent = read.requests.filter(({ at }) => serverNow - Date.parse(at) < quietMinutes * 60_000).length;
  const isQuiet = recent === 0;
  return (
    <output className={classes.state} data-state={isQuiet ? 'received' : 'waiting'}>
      {isQuiet ? <CircleCheck size={18} aria-hidden /> : <Radio size={18} aria-hidden />}
      <span>
        {isQuiet
          ? (oldKey.hasStopped ? texts.quietStopped : texts.quiet)(quietMinutes)
          : texts.traffic(recent, quietMinutes)}
      </span>
    </output>
  );
}
