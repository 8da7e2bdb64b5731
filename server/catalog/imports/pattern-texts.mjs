// Texts on which a regular expression may backtrack. Plain JavaScript: workers run unbundled.
import { RegExpParser } from '@eslint-community/regexpp';

/**
 * @typedef {import('@eslint-community/regexpp').AST.Node} Node
 * @typedef {import('@eslint-community/regexpp').AST.Quantifier} Quantifier
 * @typedef {{ choice: number, optional: boolean }} Variant which alternatives and optional parts a
 *   sample has
 */

/** The longer one shows patterns that take cubic time. */
const REPEATS = [40, 1_000];
/** Repeats of less are not slow. */
const MIN_REPEATS = 10;
const MAX_VARIANTS = 4;
const MAX_ENDS = 8;
const MAX_SAMPLE_CHARS = 200;
const MAX_MIN_REPEATS = 50;
const MAX_TEXTS = 400;
/** Characters that most classes have one of. */
const COMMON = ['a', '0', ' ', 'A', '-', '_', '.', '/', ',', ':', '@', '\n', 'é', '€', '中'];

/**
 * Returns texts that repeat a repeated part of a pattern and then do not match, shortest first.
 * @param {string} pattern
 * @returns {string[]}
 * @throws if it is not a pattern, or is nested too deeply
 */
export function createPatternTexts(pattern) {
  const root = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(pattern, 0, pattern.length, true);
  const sampler = new Sampler(pattern);
  /** @type {string[]} */
  const texts = [];
  for (const repeat of REPEATS)
    for (const quantifier of listQuantifiers(root)) {
      const start = sampler.createStart(quantifier);
      for (let i = 0; i < MAX_VARIANTS * 2; i++) {
        const variant = { choice: Math.floor(i / 2), optional: i % 2 === 1 };
        const part = sampler.create(quantifier.element, variant);
        if (part !== '') for (const end of sampler.ends) texts.push(start + part.repeat(repeat) + end);
      }
    }
  return [...new Set(texts)].slice(0, MAX_TEXTS);
}

/** @param {Node} root @returns {Quantifier[]} */
function listQuantifiers(root) {
  /** @type {Quantifier[]} */
  const found = [];
  /** @type {Node[]} */
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'Quantifier') {
      if (node.max >= MIN_REPEATS) found.push(node);
      waiting.push(node.element);
    } else if ('alternatives' in node) waiting.push(...node.alternatives);
    else if (node.type === 'Alternative') waiting.push(...node.elements);
  }
  return found;
}

/** Creates texts that parts of one pattern match. */
class Sampler {
  /** @type {string[]} */
  #chars;
  /** Ends that are likely not to match. @type {string[]} */
  ends;

  /** @param {string} pattern */
  constructor(pattern) {
    const own = [...new Set(pattern.replace(/\\./gu, ''))].filter((char) => !'()[]{}*+?|^$\\'.includes(char));
    this.#chars = [...new Set([...own, ...COMMON])];
    this.ends = ['\u0000', '!', '', ...own.filter((char) => char !== '!').reverse()].slice(0, MAX_ENDS);
  }

  /** A text that leads to this part of the pattern. @param {Node} part @returns {string} */
  createStart(part) {
    let start = '';
    for (let node = part; node.parent; node = node.parent) {
      if (node.parent.type !== 'Alternative') continue;
      const { elements } = node.parent;
      const before = elements.slice(0, /** @type {Node[]} */ (elements).indexOf(node));
      start = this.#join(before, { choice: 0, optional: false }) + start;
    }
    return start;
  }

  /** @param {Node} node @param {Variant} variant @returns {string} */
  create(node, variant) {
    switch (node.type) {
      case 'Alternative':
        return this.#join(node.elements, variant);
      case 'Group':
      case 'CapturingGroup':
        return this.create(
          /** @type {Node} */ (node.alternatives[variant.choice % node.alternatives.length]),
          variant,
        );
      case 'Quantifier': {
        const least = node.min === 0 && variant.optional ? 1 : node.min;
        const sample = this.create(node.element, variant);
        return sample.repeat(Math.min(least, MAX_MIN_REPEATS)).slice(0, MAX_SAMPLE_CHARS);
      }
      case 'Character':
        return String.fromCodePoint(node.value);
      case 'CharacterClass':
      case 'CharacterSet': {
        const matches = new RegExp(`^${node.raw}$`, 'su');
        const fitting = this.#chars.filter((char) => matches.test(char));
        return fitting[variant.choice % fitting.length] ?? '';
      }
      default:
        return '';
    }
  }

  /** @param {readonly Node[]} nodes @param {Variant} variant */
  #join(nodes, variant) {
    return nodes
      .map((node) => this.create(node, variant))
      .join('')
      .slice(0, MAX_SAMPLE_CHARS);
  }
}
