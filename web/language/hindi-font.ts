import '@fontsource-variable/noto-sans-devanagari';
