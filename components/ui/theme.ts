/** The localStorage key of the theme; absent means the system's theme. */
export const THEME_STORAGE_KEY = 'theme';

/** Runs in the head before the first paint, so that the wrong theme never flashes. */
export const THEME_SCRIPT = `try{var t=localStorage.getItem('${THEME_STORAGE_KEY}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`;
