//! Roles of a program's products in a recipe: forward products, and the products that give gradients of inputs and of weights.
//!
//! JAX names the scope of a backward operation `transpose(…)`. All other products are forward: the activation is the left operand and
//! the weight the right one, unless only the left one is moved from an argument of the program. The value that a backward product
//! shares with a forward one decides what it is. An operand that is a forward weight makes it a gradient of inputs, and one that is a
//! forward activation makes it a gradient of weights. Moved, converted and broadcast values count as the values that they are made of.
//!
//! A scope `input_gradient` or `weight_gradient` makes the product backward and names its role.
//!
//! Convolutions are products of patches with a kernel, and have roles in the same way.
//!
//! Products with batching dimensions, as those of attention, have no weight and no role.

use std::collections::{HashMap, HashSet};

use binade::recipe::Pass;
use binade_stablehlo::ir::{Op, Operation, Program, Region, ValueId};

/// The role of a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ProductRole {
    /// The pass.
    pub(crate) pass: Pass,
    /// True if the left operand has the second role of [`Pass::operands`].
    pub(crate) swapped: bool,
    /// True for a product of the first layer, and of the last one.
    pub(crate) ends: [bool; 2],
}

/// The roles of a program's products, by the text positions of operations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ProductRoles(HashMap<(u32, u32), ProductRole>);

/// A value of a function.
type Origin = (usize, ValueId);

/// A `dot_general` of two matrices, or a convolution.
struct Product<'p> {
    operation: &'p Operation,
    operands: [Origin; 2],
    /// True for operands that are made by a backward operation.
    backward: [bool; 2],
}

impl ProductRoles {
    pub(crate) fn of(program: &Program) -> ProductRoles {
        let mut found = Found::default();
        for (function, body) in program.functions.iter().enumerate() {
            found.walk(program, function, &body.body);
        }
        let mut products = vec![];
        for (function, body) in program.functions.iter().enumerate() {
            found.products(function, &body.body, &mut products);
        }
        let is_argument = |origin: &Origin| {
            let (function, value) = *origin;
            program.functions[function].body.parameters.contains(&value)
        };
        let (mut roles, mut weights, mut activations) = (HashMap::new(), HashMap::new(), HashMap::new());
        let (again, forward): (Vec<&Product>, Vec<&Product>) = (products.iter())
            .filter(|product| !is_backward(&product.operation.scope))
            .partition(|product| product.operation.scope.contains(REMATERIALISED));
        for (at, product) in forward.iter().chain(&again).enumerate() {
            let [left, right] = &product.operands;
            let swapped = is_argument(left) && !is_argument(right);
            let [activation, weight] = if swapped { [right, left] } else { [left, right] };
            let ends = match weights.get(weight) {
                Some(&ends) if at >= forward.len() => ends,
                _ => [at == 0, at + 1 == forward.len()],
            };
            weights.entry(*weight).or_insert(ends);
            activations.entry(*activation).or_insert(ends);
            roles.insert(product.operation.position, ProductRole { pass: Pass::Forward, swapped, ends });
        }
        for product in products.iter().filter(|product| is_backward(&product.operation.scope)) {
            let of = |known: &HashMap<Origin, [bool; 2]>| {
                let at = product.operands.iter().position(|origin| known.contains_key(origin))?;
                Some((at, known[&product.operands[at]]))
            };
            let named = named_pass(&product.operation.scope);
            let weight = of(&weights).or((named == Some(Pass::InputGradient)).then_some((1, [false; 2])));
            let role = if let Some((at, ends)) = weight
                && named != Some(Pass::WeightGradient)
            {
                // The gradient is the first operand of the pass, and the weight the second.
                ProductRole { pass: Pass::InputGradient, swapped: at == 0, ends }
            } else {
                let (at, ends) = of(&activations).unwrap_or_else(|| {
                    let gradient = product.backward.iter().position(|backward| *backward).unwrap_or(1);
                    (1 - gradient, [false; 2])
                });
                // The activation is the first operand of the pass, and the gradient the second.
                ProductRole { pass: Pass::WeightGradient, swapped: at == 1, ends }
            };
            roles.insert(product.operation.position, role);
        }
        ProductRoles(roles)
    }

    /// The role of an operation; `None` if it is no product of a layer.
    pub(crate) fn get(&self, operation: &Operation) -> Option<ProductRole> {
        self.0.get(&operation.position).copied()
    }
}

/// True for operations of a backward pass.
fn is_backward(scope: &str) -> bool {
    scope.contains("transpose(") && !scope.contains(REMATERIALISED) || named_pass(scope).is_some()
}

/// JAX's name for forward operations that a backward pass computes again.
const REMATERIALISED: &str = "rematted_computation";

/// The backward pass that a scope names.
fn named_pass(scope: &str) -> Option<Pass> {
    let passes = [Pass::InputGradient, Pass::WeightGradient];
    scope.split('/').find_map(|part| passes.into_iter().find(|pass| pass.name() == part))
}

/// The values of a program that others are moved from.
#[derive(Default)]
struct Found {
    moved: HashMap<Origin, Origin>,
    /// Values that backward operations make.
    backward: HashSet<Origin>,
    /// Functions that several operations call: their parameters have no single origin.
    called: HashSet<usize>,
}

impl Found {
    fn walk(&mut self, program: &Program, function: usize, region: &Region) {
        for operation in &region.operations {
            let operand = |at: usize| (function, operation.operands[at]);
            if is_backward(&operation.scope) {
                self.backward.extend(operation.results.iter().map(|&result| (function, result)));
            }
            match &operation.kind {
                Op::While { condition, body } => {
                    for inner in [condition, body] {
                        for (&parameter, &operand) in inner.parameters.iter().zip(&operation.operands) {
                            self.moved.insert((function, parameter), (function, operand));
                        }
                    }
                }
                Op::Call { function: callee } => {
                    let parameters = &program.functions[*callee].body.parameters;
                    let first = self.called.insert(*callee);
                    for (&parameter, &operand) in parameters.iter().zip(&operation.operands) {
                        match first {
                            true => self.moved.insert((*callee, parameter), (function, operand)),
                            false => self.moved.remove(&(*callee, parameter)),
                        };
                    }
                }
                Op::OptimizationBarrier => {
                    for (&result, &operand) in operation.results.iter().zip(&operation.operands) {
                        self.moved.insert((function, result), (function, operand));
                    }
                }
                kind if MOVES.contains(&kind.name()) && !operation.operands.is_empty() => {
                    for &result in &operation.results {
                        self.moved.insert((function, result), operand(0));
                    }
                }
                _ => {}
            }
            for inner in operation.kind.regions() {
                self.walk(program, function, inner);
            }
        }
    }

    /// The value that this one is moved from.
    fn origin(&self, mut value: Origin) -> Origin {
        // A loop of values would be a program that is not valid; the bound ends it.
        for _ in 0..10_000 {
            match self.moved.get(&value) {
                Some(&from) => value = from,
                None => break,
            }
        }
        value
    }

    fn products<'p>(&self, function: usize, region: &'p Region, products: &mut Vec<Product<'p>>) {
        for operation in &region.operations {
            let has_role = match &operation.kind {
                Op::DotGeneral { dimensions, .. } => dimensions.lhs_batching.is_empty(),
                kind => matches!(kind, Op::Convolution(_) | Op::DynamicConv(_)),
            };
            if let [left, right, ..] = operation.operands[..]
                && has_role
            {
                let operands = [left, right].map(|value| self.origin((function, value)));
                let backward = operands.map(|origin| self.backward.contains(&origin));
                products.push(Product { operation, operands, backward });
            }
            for inner in operation.kind.regions() {
                self.products(function, inner, products);
            }
        }
    }
}

/// Operations whose result has the elements of their first operand.
const MOVES: [&str; 8] = [
    "transpose",
    "reverse",
    "reshape",
    "convert",
    "broadcast_in_dim",
    "slice",
    "dynamic_slice",
    "reduce_precision",
];

#[cfg(test)]
mod tests {
    use binade::recipe::Recipe;
    use binade_fma::QuantizedProduct;

    use super::*;
    use crate::arithmetic::rules::Rules;

    /// Two dense layers as JAX exports them, and an attention's product with batching dimensions.
    const TEXT: &str = r#"func.func public @main(%x: tensor<4x3xf32>, %w: tensor<3x5xf32>, %v: tensor<5x2xf32>) -> tensor<3x5xf32> {
        %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32> loc("jit(f)/jvp(hidden)/dot_general")
        %t = stablehlo.tanh %h : tensor<4x5xf32> loc("jit(f)/jvp(hidden)/tanh")
        %y = stablehlo.dot_general %t, %v, contracting_dims = [1] x [0] : (tensor<4x5xf32>, tensor<5x2xf32>) -> tensor<4x2xf32> loc("jit(f)/jvp(output)/dot_general")
        %g = stablehlo.negate %y : tensor<4x2xf32> loc("jit(f)/transpose(jvp(loss))/neg")
        %dv = stablehlo.dot_general %g, %t, contracting_dims = [0] x [0] : (tensor<4x2xf32>, tensor<4x5xf32>) -> tensor<2x5xf32> loc("jit(f)/transpose(jvp(output))/dot_general")
        %vt = stablehlo.transpose %v, dims = [1, 0] : (tensor<5x2xf32>) -> tensor<2x5xf32> loc("jit(f)/transpose(jvp(output))/transpose")
        %dt = stablehlo.dot_general %g, %vt, contracting_dims = [1] x [0] : (tensor<4x2xf32>, tensor<2x5xf32>) -> tensor<4x5xf32> loc("jit(f)/transpose(jvp(output))/dot_general")
        %dh = stablehlo.multiply %dt, %t : tensor<4x5xf32> loc("jit(f)/transpose(jvp(hidden))/mul")
        %dw = stablehlo.dot_general %x, %dh, contracting_dims = [0] x [0] : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<3x5xf32> loc("jit(f)/transpose(jvp(hidden))/dot_general")
        %b = stablehlo.reshape %x : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
        %a = stablehlo.dot_general %b, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<1x4x3xf32>, tensor<1x4x3xf32>) -> tensor<1x4x4xf32>
        return %dw : tensor<3x5xf32> }"#;

    #[test]
    fn products_of_dense_layers_have_the_roles_of_their_operands() {
        let program = Program::parse(TEXT).unwrap();
        let roles = ProductRoles::of(&program);
        let products = program.functions[0].body.operations.iter();
        let products = products.filter(|operation| matches!(operation.kind, Op::DotGeneral { .. }));
        let found: Vec<_> = products
            .map(|operation| roles.get(operation).map(|role| (role.pass, role.swapped, role.ends)))
            .collect();
        let (first, last) = ([true, false], [false, true]);
        assert_eq!(
            found,
            [
                Some((Pass::Forward, false, first)),
                Some((Pass::Forward, false, last)),
                // The gradient is on the left.
                Some((Pass::WeightGradient, true, last)),
                Some((Pass::InputGradient, false, last)),
                Some((Pass::WeightGradient, false, first)),
                None,
            ]
        );
    }

    /// Two convolutions and a dense layer as JAX exports them.
    const CONVOLUTIONS: &str = r#"func.func public @main(%x: tensor<2x8x8x3xf32>, %w: tensor<3x3x3x8xf32>, %v: tensor<3x3x8x16xf32>, %u: tensor<16x4xf32>) -> tensor<3x3x3x8xf32> {
        %h = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x3xf32>, tensor<3x3x3x8xf32>) -> tensor<2x8x8x8xf32> loc("jit(f)/jvp(stem)/conv_general_dilated")
        %t = stablehlo.tanh %h : tensor<2x8x8x8xf32> loc("jit(f)/jvp(stem)/tanh")
        %y = stablehlo.convolution(%t, %v) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x8xf32>, tensor<3x3x8x16xf32>) -> tensor<2x4x4x16xf32> loc("jit(f)/jvp(block)/conv_general_dilated")
        %m = stablehlo.slice %y [0:2, 0:1, 0:1, 0:16] : (tensor<2x4x4x16xf32>) -> tensor<2x1x1x16xf32> loc("jit(f)/jvp(head)/slice")
        %r = stablehlo.reshape %m : (tensor<2x1x1x16xf32>) -> tensor<2x16xf32> loc("jit(f)/jvp(head)/reshape")
        %z = stablehlo.dot_general %r, %u, contracting_dims = [1] x [0] : (tensor<2x16xf32>, tensor<16x4xf32>) -> tensor<2x4xf32> loc("jit(f)/jvp(head)/dot_general")
        %g = stablehlo.negate %z : tensor<2x4xf32> loc("jit(f)/transpose(jvp(head))/neg")
        %dr = stablehlo.dot_general %g, %u, contracting_dims = [1] x [1] : (tensor<2x4xf32>, tensor<16x4xf32>) -> tensor<2x16xf32> loc("jit(f)/transpose(jvp(head))/dot_general")
        %dy = stablehlo.broadcast_in_dim %dr, dims = [0, 3] : (tensor<2x16xf32>) -> tensor<2x4x4x16xf32> loc("jit(f)/transpose(jvp(head))/broadcast_in_dim")
        %dv = stablehlo.convolution(%t, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x8xf32>, tensor<2x4x4x16xf32>) -> tensor<3x3x8x16xf32> loc("jit(f)/transpose(jvp(block))/conv_general_dilated")
        %vr = stablehlo.reverse %v, dims = [0, 1] : tensor<3x3x8x16xf32> loc("jit(f)/transpose(jvp(block))/rev")
        %dt = stablehlo.convolution(%dy, %vr) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x4x16xf32>, tensor<3x3x8x16xf32>) -> tensor<2x8x8x8xf32> loc("jit(f)/transpose(jvp(block))/conv_general_dilated")
        %dh = stablehlo.multiply %dt, %t : tensor<2x8x8x8xf32> loc("jit(f)/transpose(jvp(stem))/mul")
        %dw = stablehlo.convolution(%x, %dh) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x3xf32>, tensor<2x8x8x8xf32>) -> tensor<3x3x3x8xf32> loc("jit(f)/transpose(jvp(stem))/conv_general_dilated")
        return %dw : tensor<3x3x3x8xf32> }"#;

    #[test]
    fn convolutions_have_the_roles_of_their_operands() {
        let program = Program::parse(CONVOLUTIONS).unwrap();
        let roles = ProductRoles::of(&program);
        let found: Vec<_> = (program.functions[0].body.operations.iter())
            .filter_map(|operation| roles.get(operation).map(|role| (role.pass, role.swapped, role.ends)))
            .collect();
        let (first, middle, last) = ([true, false], [false, false], [false, true]);
        assert_eq!(
            found,
            [
                (Pass::Forward, false, first),
                (Pass::Forward, false, middle),
                (Pass::Forward, false, last),
                (Pass::InputGradient, false, last),
                (Pass::WeightGradient, false, middle),
                (Pass::InputGradient, false, middle),
                (Pass::WeightGradient, false, first),
            ]
        );
        let reach = |text: &str| {
            let reach = Rules::parse(&[text]).unwrap().reach(&program);
            (reach[0].computed, reach[0].left)
        };
        assert_eq!(reach("nvfp4"), (7, 0));
        assert_eq!(reach("nvfp4-training"), (5, 2));
        assert_eq!(reach("convolution=tesla-cfloat8"), (5, 0));
        assert_eq!(reach("mxfp8_e5m2"), (7, 0));
    }

    #[test]
    fn scopes_name_the_roles_of_backward_products() {
        let program = Program::parse(
            r#"func.func @main(%g: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
            %0 = stablehlo.dot_general %g, %w, contracting_dims = [1] x [1] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("f/input_gradient/dot_general")
            %1 = stablehlo.dot_general %g, %0, contracting_dims = [1] x [1] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("f/weight_gradient/dot_general")
            %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [1] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("transpose(jvp(f))/rematted_computation/dot_general")
            return %2 : tensor<4x4xf32> }"#,
        )
        .unwrap();
        let roles = ProductRoles::of(&program);
        let operations = program.functions[0].body.operations.iter();
        let found: Vec<Pass> = operations.filter_map(|one| roles.get(one)).map(|role| role.pass).collect();
        assert_eq!(found, [Pass::InputGradient, Pass::WeightGradient, Pass::Forward]);
    }

    #[test]
    fn products_of_batches_are_left_unless_the_recipe_has_attention() {
        let program = Program::parse(TEXT).unwrap();
        let roles = ProductRoles::of(&program);
        let product = program.functions[0].body.operations.last().unwrap();
        assert!(matches!(product.kind, Op::DotGeneral { .. }) && roles.get(product).is_none());
        let recipe = |pairs: &[(&str, &str)]| {
            let recipe = Recipe::of_pairs("mine", pairs.iter().copied()).unwrap();
            let rules = Rules::of_recipe(&recipe).unwrap().for_program(&program);
            rules.blocks(product).map(QuantizedProduct::names)
        };
        assert_eq!(recipe(&[("forward.weight", "nvfp4")]), None);
        assert_eq!(recipe(&[("attention", "mxfp8_e4m3")]), Some("mxfp8_e4m3".to_owned()));
        let two = [("attention.left", "nvfp4/rounding=stochastic"), ("attention.right", "bf16")];
        assert_eq!(recipe(&two), Some("nvfp4/rounding=stochastic,bf16".to_owned()));
    }

    #[test]
    fn recipes_leave_layers_and_products_of_batches() {
        let program = Program::parse(TEXT).unwrap();
        let reach = |text: &str| {
            let reach = Rules::parse(&[text]).unwrap().reach(&program);
            (reach[0].computed, reach[0].left)
        };
        assert_eq!(reach("nvfp4"), (5, 1));
        assert_eq!(reach("nvfp4-training"), (2, 4));
        assert_eq!(reach("w8a8"), (2, 4));
        assert_eq!(reach("dot_general@*output*=fp8-deepseek"), (3, 0));
    }
}
