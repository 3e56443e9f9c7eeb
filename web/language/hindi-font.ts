import '@fontsource-variable/noto-sans-devanagari';

// Asked for with the catalogues, not only when the first word stands: what is read would move when it comes.
void document.fonts.load("1em 'Noto Sans Devanagari Variable'", 'हि').catch(() => undefined);
