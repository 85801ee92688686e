import { existsSync } from 'node:fs';

/** Chromium as Debian installs it, or the Chrome of GitHub's runners, whose Ubuntu has a stub of Chromium. */
export const BROWSER =
  ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((file) => existsSync(file)) ?? 'chromium';
