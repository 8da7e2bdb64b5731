/** The backdrop of a modal. */
export const overlayClass = 'fixed inset-0 z-40 animate-fade-in bg-black/45';

/**
 * A modal: at the bottom on a phone, within reach of the thumb; centred on wider screens. Its
 * scroll padding keeps the field with the focus between `dialog-title` and `dialog-actions`.
 */
export const panelClass =
  'fixed inset-x-0 bottom-0 z-50 mx-auto flex max-h-[92dvh] w-full flex-col scroll-pt-16 scroll-pb-32 overflow-y-auto rounded-t-xl border bg-raised p-5 shadow-pop animate-pop-in sm:top-[14vh] sm:bottom-auto sm:max-h-[76vh] sm:max-w-md sm:scroll-pb-20 sm:rounded-xl sm:p-6';
