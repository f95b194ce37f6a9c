mod codegen;
mod say;
mod workspace;
fn main() {
    codegen::run(false).unwrap();
}
