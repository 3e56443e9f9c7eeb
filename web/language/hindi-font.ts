import '@fontsource-variable/noto-sans-devanagari';

// Requested with the catalogues, not only when the first Hindi text is shown: late fonts would shift the text.
void document.fonts.load("1em 'Noto Sans Devanagari Variable'", 'हि').catch(() => undefined);
