//! The conversion algorithms, each written once over the vectors of [`binade_simd::lanes`].

pub(crate) mod convert;
pub(crate) mod strips;

/// Calls a method with the shape as its second constant, if the shape is among those named of the module and the leg is
/// compiled for them. Otherwise calls it with ANY.
macro_rules! shapes {
    ($shapes:ident, $shape:expr, $self:ident.$method:ident $arguments:tt: $($name:ident)*) => {
        match $shape {
            $($shapes::$name if L::SPECIALIZES_SHAPES => $self.$method::<L, { $shapes::$name }> $arguments,)*
            _ => $self.$method::<L, { $shapes::ANY }> $arguments,
        }
    };
}

pub(crate) use shapes;
