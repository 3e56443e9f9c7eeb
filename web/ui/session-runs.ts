import { createContext } from 'react';

/** Whether the session still runs, asked at the moment. One that has ended leads away without a question. */
export const SessionRuns = createContext<() => boolean>(() => true);
