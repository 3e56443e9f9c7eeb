import { readConfig } from '#ship/standins/config.ts';
import { type Standins, startStandins } from '#ship/standins/standins.ts';

function write(stream: NodeJS.WriteStream, line: Record<string, unknown>): void {
  stream.write(`${JSON.stringify({ time: new Date().toISOString(), process: 'standins', ...line })}\n`);
}

function stopOnRequest(standins: Standins): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    standins.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // When the launcher dies, its IPC channel closes; an orphan would keep the ports.
  process.once('disconnect', stop);
  if (process.send && !process.connected) stop();
}

try {
  const config = readConfig();
  const standins = await startStandins(config);
  stopOnRequest(standins);
  const { googleUrl, razorpayUrl, gstnUrl } = standins;
  write(process.stdout, { level: 'info', message: 'stand-ins ready', googleUrl, razorpayUrl, gstnUrl });
} catch (error) {
  write(process.stderr, { level: 'fatal', message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
