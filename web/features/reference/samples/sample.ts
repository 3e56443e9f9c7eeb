import { curlSample } from '#web/features/reference/samples/curl.ts';
import { javaSample } from '#web/features/reference/samples/java.ts';
import { javascriptSample } from '#web/features/reference/samples/javascript.ts';
import { phpSample } from '#web/features/reference/samples/php.ts';
import { pythonSample } from '#web/features/reference/samples/python.ts';

/** The languages in which a call is written down; each is a whole program that runs as it is. */
export const sampleLanguages = [
  { id: 'curl', name: 'curl', write: curlSample, runBy: null },
  { id: 'javascript', name: 'JavaScript', write: javascriptSample, runBy: 'node sample.mjs' },
  { id: 'python', name: 'Python', write: pythonSample, runBy: 'python3 sample.py' },
  { id: 'java', name: 'Java', write: javaSample, runBy: 'java Sample.java' },
  { id: 'php', name: 'PHP', write: phpSample, runBy: 'php sample.php' },
] as const;
