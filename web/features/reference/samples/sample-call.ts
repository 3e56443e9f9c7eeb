/** A field of a multipart body: a text, or the name of a file that is sent. */
export interface CallPart {
  name: string;
  value: string | { file: string };
}

/** A call ready to be sent, or to be written down in some language. The key is not in it. */
export interface ApiRequest {
  method: string;
  url: string;
  /** Without the one that carries the key. */
  headers: [name: string, value: string][];
  /** A text, a form with files, or the name of the file that is the body. */
  body: string | { parts: CallPart[] } | { file: string } | null;
  /** The file name for a binary response. */
  savesAs: string | null;
}

/** The header that carries the key. The gateway takes it beside `Authorization: Bearer`. */
export const keyHeader = 'X-API-Key';

/** A call with the key that goes with it; null: the program takes it from the environment. */
export interface SampleCall extends ApiRequest {
  key: string | null;
}

/** The environment variable from which a sample takes the key. */
export const keyVariable = 'API_KEY';
