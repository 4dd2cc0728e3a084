//! Starts the dashboard: the panic page first, then the application.

fn main() {
    remit_dashboard::browser::install_panic_page();
    remit_dashboard::mount();
}
