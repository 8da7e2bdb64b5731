/** Where the choice is kept; absent means the system's. */
export const THEME_STORAGE_KEY = 'theme';

/** Runs in the head before the first paint, so that a chosen theme never flashes. */
export const THEME_SCRIPT = `try{var t=localStorage.getItem('${THEME_STORAGE_KEY}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`;
