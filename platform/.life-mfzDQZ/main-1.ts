import { createLog } from '#platform/log.ts'; import { createProcessLife } from '#platform/process-life.ts';
     const log = createLog('tiny'); const life = createProcessLife(log, 300); setInterval(() => {}, 1000);
     life.onStop('first', () => console.log('first closed')); life.onStop('second', async () => console.log('second closed')); console.log('up');