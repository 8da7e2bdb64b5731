/** Renames `a, A` to `a, A_1`, because column names are unique. @param {readonly string[]} names */
export function uniqueNames(names) {
  /** @type {Set<string>} */
  const taken = new Set();
  return names.map((name) => {
    let unique = name;
    for (let at = 1; taken.has(unique.toLowerCase()); at += 1) unique = `${name}_${at}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}
