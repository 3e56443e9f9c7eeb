import 'react';

declare module 'react' {
  interface CSSProperties {
    /** The columns of a LinkRow, without the arrow's. */
    '--columns'?: string;
  }
}
