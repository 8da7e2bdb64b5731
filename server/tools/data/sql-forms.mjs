// The node types and fields allowed in a caller's SQL, named as in json_serialize_sql. Anything not
// listed, such as a field added by a later DuckDB version, is refused until it is reviewed.

/** Fields of all expressions. */
const COMMON = 'class type alias query_location';

/**
 * Expressions by class, with their types and fields.
 * @type {Record<string, readonly [types: string, fields: string]>}
 */
const EXPRESSIONS = {
  BETWEEN: ['COMPARE_BETWEEN COMPARE_NOT_BETWEEN', 'input lower upper'],
  CASE: ['CASE_EXPR', 'case_checks else_expr'],
  CAST: ['OPERATOR_CAST', 'child cast_type try_cast'],
  COLLATE: ['COLLATE', 'child collation'],
  COLUMN_REF: ['COLUMN_REF', 'column_names'],
  COMPARISON: [
    `COMPARE_EQUAL COMPARE_NOTEQUAL COMPARE_LESSTHAN COMPARE_GREATERTHAN COMPARE_LESSTHANOREQUALTO
     COMPARE_GREATERTHANOREQUALTO COMPARE_DISTINCT_FROM COMPARE_NOT_DISTINCT_FROM`,
    'left right',
  ],
  CONJUNCTION: ['CONJUNCTION_AND CONJUNCTION_OR', 'children'],
  CONSTANT: ['VALUE_CONSTANT', 'value'],
  FUNCTION: [
    'FUNCTION',
    'function_name schema catalog children filter order_bys distinct is_operator export_state',
  ],
  LAMBDA: ['LAMBDA', 'lhs expr'],
  OPERATOR: [
    `ARRAY_CONSTRUCTOR ARRAY_EXTRACT ARRAY_SLICE COMPARE_IN COMPARE_NOT_IN GROUPING_FUNCTION OPERATOR_COALESCE
     OPERATOR_IS_NOT_NULL OPERATOR_IS_NULL OPERATOR_NOT OPERATOR_NULLIF OPERATOR_TRY OPERATOR_UNPACK STRUCT_EXTRACT`,
    'children',
  ],
  POSITIONAL_REFERENCE: ['POSITIONAL_REFERENCE', 'index'],
  STAR: ['STAR', 'relation_name exclude_list replace_list columns expr qualified_exclude_list rename_list'],
  SUBQUERY: ['SUBQUERY', 'subquery_type subquery child comparison_type'],
  WINDOW: [
    `WINDOW_AGGREGATE WINDOW_CUME_DIST WINDOW_FILL WINDOW_FIRST_VALUE WINDOW_LAG WINDOW_LAST_VALUE WINDOW_LEAD
     WINDOW_NTH_VALUE WINDOW_NTILE WINDOW_PERCENT_RANK WINDOW_RANK WINDOW_RANK_DENSE WINDOW_ROW_NUMBER`,
    `function_name schema catalog children partitions orders start end start_expr end_expr offset_expr default_expr
     ignore_nulls filter_expr exclude_clause distinct arg_orders`,
  ],
};

/** Queries, tables, clauses and types, by type. */
const NODES = {
  SELECT_NODE: `modifiers cte_map select_list from_table where_clause group_expressions group_sets aggregate_handling
    having sample qualify`,
  SET_OPERATION_NODE: 'modifiers cte_map setop_type left right setop_all',
  RECURSIVE_CTE_NODE: 'modifiers cte_map cte_name union_all left right aliases key_targets',
  BASE_TABLE: 'alias sample query_location schema_name table_name column_name_alias catalog_name at_clause',
  EMPTY: 'alias sample query_location',
  EXPRESSION_LIST: 'alias sample query_location expected_names expected_types values',
  JOIN: `alias sample query_location left right condition join_type ref_type using_columns delim_flipped
    duplicate_eliminated_columns`,
  PIVOT: `alias sample query_location source aggregates unpivot_names pivots groups column_name_alias include_nulls`,
  SHOW_REF: 'alias sample query_location table_name query show_type catalog_name schema_name',
  SUBQUERY: 'alias sample query_location subquery column_name_alias',
  TABLE_FUNCTION: 'alias sample query_location function column_name_alias with_ordinality',
  DISTINCT_MODIFIER: 'distinct_on_targets',
  LIMIT_MODIFIER: 'limit offset',
  LIMIT_PERCENT_MODIFIER: 'limit offset',
  ORDER_MODIFIER: 'orders',
  ASCENDING: 'null_order expression',
  DESCENDING: 'null_order expression',
  ORDER_DEFAULT: 'null_order expression',
  ARRAY_TYPE_INFO: 'alias extension_info child_type size',
  DECIMAL_TYPE_INFO: 'alias extension_info width scale',
  LIST_TYPE_INFO: 'alias extension_info child_type',
  STRUCT_TYPE_INFO: 'alias extension_info child_types',
  UNBOUND_TYPE_INFO: 'alias extension_info name catalog schema user_type_modifiers',
};

/** Fields of objects that have no `type`. */
const UNTYPED_FIELDS = [
  'node named_param_map',
  'map',
  'key value',
  'aliases query materialized key_targets',
  'when_expr then_expr',
  'type is_null',
  'type is_null value',
  'id type_info',
  'children',
  'upper lower',
  'months days micros',
  'sample_size is_percentage method seed',
  'pivot_expressions unpivot_names entries pivot_enum',
  'values star_expr alias',
  'first second',
  'catalog schema table column',
];

/**
 * Type ids in constants and casts. UNBOUND refers to a type by name, which is checked separately.
 */
const TYPE_IDS = `
  ARRAY|BIGINT|BIGNUM|BIT|BLOB|BOOLEAN|CHAR|DATE|DECIMAL|DOUBLE|ENUM|FLOAT|HUGEINT|INTEGER|INTERVAL|LIST|MAP|NULL|SMALLINT|
  STRUCT|TIME|TIME WITH TIME ZONE|TIMESTAMP|TIMESTAMP WITH TIME ZONE|TIMESTAMP_MS|TIMESTAMP_NS|TIMESTAMP_S|TIME_NS|
  TINYINT|UBIGINT|UHUGEINT|UINTEGER|UNBOUND|UNION|USMALLINT|UTINYINT|UUID|VARCHAR`;

/** @param {string} text */
const words = (text) => text.split(/\s+/).filter(Boolean);

const EXPRESSION_FIELDS = new Map(
  Object.entries(EXPRESSIONS).flatMap(([name, [types, fields]]) =>
    words(types).map(
      (type) => /** @type {const} */ ([`${name} ${type}`, new Set(words(`${COMMON} ${fields}`))]),
    ),
  ),
);
const NODE_FIELDS = new Map(
  Object.entries(NODES).map(([type, fields]) => [type, new Set(['type', ...words(fields)])]),
);
const PART_FIELDS = new Map(
  UNTYPED_FIELDS.map((fields) => [words(fields).sort().join(' '), new Set(words(fields))]),
);

const KNOWN_TYPE_IDS = new Set(TYPE_IDS.split('|').map((id) => id.trim()));

/**
 * Whether an object of the syntax tree has a known type and only known fields.
 * @param {Record<string, unknown>} object
 */
export function isKnownForm(object) {
  const fields = getAllowedFields(object);
  return fields !== undefined && Object.keys(object).every((name) => fields.has(name));
}

/** @param {Record<string, unknown>} object */
function getAllowedFields(object) {
  if ('class' in object) return EXPRESSION_FIELDS.get(`${object.class} ${object.type}`);
  if (typeof object.type === 'string') return NODE_FIELDS.get(object.type);
  return PART_FIELDS.get(Object.keys(object).sort().join(' '));
}

/** @param {unknown} id */
export function isKnownTypeId(id) {
  return typeof id === 'string' && KNOWN_TYPE_IDS.has(id);
}
