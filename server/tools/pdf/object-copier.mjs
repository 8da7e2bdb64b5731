// Copies objects between documents. Unlike that of pdf-lib, it takes no pages that were left out
// along with a link or a field that refers to them.
import { PDFArray, PDFDict, PDFRef, PDFStream } from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFContext} PDFContext */
/** @typedef {import('@cantoo/pdf-lib').PDFObject} PDFObject */

export class ObjectCopier {
  #from;
  #to;
  /** @type {Map<PDFRef, PDFObject>} */
  #copies = new Map();
  /** @type {PDFRef[]} whose objects are still to be copied */
  #waiting = [];

  /** @param {PDFContext} from @param {PDFContext} to */
  constructor(from, to) {
    this.#from = from;
    this.#to = to;
  }

  /** Sets what a reference becomes. @param {PDFRef} ref @param {PDFObject} copy */
  preset(ref, copy) {
    this.#copies.set(ref, copy);
  }

  /**
   * Copies an object with all it refers to.
   * @template {PDFObject} Value
   * @param {Value} object
   * @returns {PDFObject}
   */
  copy(object) {
    const copied = this.#clone(object);
    for (let ref = this.#waiting.pop(); ref; ref = this.#waiting.pop()) {
      const copy = this.#copies.get(ref);
      const value = this.#from.lookup(ref);
      if (value && copy instanceof PDFRef) this.#to.assign(copy, this.#clone(value));
    }
    return copied;
  }

  /** @param {PDFObject} object @returns {PDFObject} */
  #clone(object) {
    if (object instanceof PDFRef) return this.#cloneReference(object);
    if (object instanceof PDFDict) return this.#cloneEntries(object, object.clone(this.#to));
    if (object instanceof PDFStream) {
      const stream = object.clone(this.#to);
      this.#cloneEntries(object.dict, stream.dict);
      return stream;
    }
    if (!(object instanceof PDFArray)) return object.clone();
    const array = PDFArray.withContext(this.#to);
    for (const item of object.asArray()) array.push(this.#clone(item));
    return array;
  }

  /** @param {PDFDict} from @param {PDFDict} to */
  #cloneEntries(from, to) {
    for (const [key, value] of from.entries()) to.set(key, this.#clone(value));
    return to;
  }

  /** @param {PDFRef} ref */
  #cloneReference(ref) {
    const known = this.#copies.get(ref);
    if (known) return known;
    const copy = this.#to.nextRef();
    this.#copies.set(ref, copy);
    this.#waiting.push(ref);
    return copy;
  }
}
