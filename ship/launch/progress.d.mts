/** Shows progress on stderr; the returned function ends it with the outcome. */
export function showProgress(title: string): (wentWell: boolean) => void;
